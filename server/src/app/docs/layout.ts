import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml } from '../../platform/html/index.js';
import { builtConsole } from '../console-files.js';
import { CHINESE_NOTE, CHINESE_TITLES } from './chinese.js';
import type { Heading } from './markdown.js';

/** The name, with its hash, of a file of the built console; undefined if the console is not built. */
function consoleAsset(name: RegExp): string | undefined {
  const directory = builtConsole();
  const assets = directory === null ? null : join(directory, 'assets');
  if (assets === null || !existsSync(assets)) return undefined;
  const file = readdirSync(assets).find((each) => name.test(each));
  return file && `/assets/${file}`;
}

const LATIN = consoleAsset(/^inter-latin-\d.*\.woff2$/);
/** Declares the console's Chinese fonts, of which a browser fetches only the parts it needs. */
const CHINESE_LETTERS = consoleAsset(/^noto-sans-sc-[^.]*\.css$/);
const FONT_FACE =
  LATIN === undefined
    ? ''
    : `@font-face { font-family: 'Inter Variable'; font-weight: 400 700; font-display: swap; src: url('${LATIN}') format('woff2-variations') }`;

/** In the colours of the console (`console/src/app/theme.ts`). */
const STYLE = `
  ${FONT_FACE}
  :root { color-scheme: light dark; --text: #172227; --quiet: #4f6064; --ground: #fff; --side: #f6f8f8; --line: #e1e8e8; --link: #086e74; --here: #d0eeec }
  @media (prefers-color-scheme: dark) {
    :root { --text: #d3dcde; --quiet: #a9b6b9; --ground: #151d20; --side: #10171a; --line: #253136; --link: #6fc8c6; --here: #173a3d }
  }
  * { box-sizing: border-box }
  html { scroll-padding-top: 1rem }
  body { margin: 0; font: 15px/1.6 'Inter Variable', Inter, system-ui, 'Noto Sans SC Variable', sans-serif; color: var(--text); background: var(--ground); overflow-wrap: break-word }
  a { color: var(--link) }
  header { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: center; padding: .7rem 1.25rem; font-size: .9rem; background: var(--side); border-bottom: 1px solid var(--line) }
  header strong { margin-right: auto }
  header strong a { display: flex; gap: .5rem; align-items: center; color: inherit; text-decoration: none; font-weight: 640 }
  header > a { color: var(--text); text-decoration: none }
  header > a:hover { text-decoration: underline }
  header input { width: 14rem; max-width: 60vw; padding: .3rem .6rem; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 7px }
  .skip { position: absolute; left: -999rem }
  .skip:focus { left: 1rem; top: .5rem; padding: .3rem .6rem; background: var(--ground) }
  main { min-width: 0; padding: .5rem 1.25rem 3rem }
  main > * { max-width: 52rem }
  main > .wide { max-width: 68rem }
  nav.side { padding: 1rem 1.25rem 2rem; background: var(--side); border-top: 1px solid var(--line) }
  nav.side h2 { margin: 1.1rem .5rem .2rem; font-size: .8rem; font-weight: 600; color: var(--quiet) }
  nav.side ul { margin: 0; padding: 0; list-style: none }
  nav.side li li { padding-left: .8rem; font-size: .88rem }
  nav.side a { display: block; padding: .22rem .5rem; border-radius: 7px; font-size: .93rem; text-decoration: none; color: var(--text) }
  nav.side a:hover { text-decoration: underline }
  nav.side a[aria-current] { background: var(--here); font-weight: 600 }
  @media (min-width: 900px) {
    .page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); min-height: calc(100vh - 3.2rem) }
    nav.side { grid-column: 1; grid-row: 1; border-top: 0; border-right: 1px solid var(--line) }
    main { grid-column: 2; grid-row: 1; padding: .5rem 2.5rem 4rem }
    .narrow { display: none }
  }
  h1 { font-size: 1.6rem; font-weight: 640; line-height: 1.25; margin: 1rem 0 }
  h2 { font-size: 1.2rem; font-weight: 640; margin: 2.2rem 0 .6rem }
  h3 { font-size: 1.05rem }
  code { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
  :not(pre) > code { padding: .08em .3em; background: var(--side); border-radius: 3px }
  pre { overflow-x: auto; padding: .8rem 1rem; background: var(--side); border: 1px solid var(--line); border-radius: 7px }
  .wide { overflow-x: auto }
  table { width: max-content; max-width: max(100%, 40rem); border-collapse: collapse; font-size: .93rem }
  th, td { padding: .4rem .7rem; border: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: normal }
  th { background: var(--side) }
  img { max-width: 100%; height: auto }
  blockquote { margin: 1rem 0; padding: .1rem 1rem; border-left: 4px solid var(--line); color: var(--quiet) }
  .note { padding: .5rem .8rem; background: var(--here); border-radius: 7px }
  @media print { nav.side, header { display: none } }
`;
const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** No scripts, no framing, and no resources of other origins. */
export const DOCS_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}' 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

export interface ContentsGroup {
  title: string;
  links: readonly { href: string; text: string }[];
}

interface Page {
  href: string | null;
  title: string;
  headings: readonly Heading[];
  html: string;
  /** The search query. */
  query?: string;
  /** For readers of Chinese: a note that the text is English, and the contents in Chinese. */
  isChinese?: boolean;
}

/** On a narrow screen the contents stand below the page, and a link at the top leads there. */
export const layout = (contents: readonly ContentsGroup[], page: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Lotward</title>
<link rel="icon" href="/favicon.svg">
${page.isChinese && CHINESE_LETTERS ? `<link rel="stylesheet" href="${CHINESE_LETTERS}">\n` : ''}<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#text">To the text</a>
<header>
<strong><a href="/docs"><img src="/favicon.svg" width="26" height="26" alt="">Lotward documentation</a></strong>
<form action="/docs/search" role="search"><input type="search" name="q" aria-label="Search the documentation" placeholder="Search" maxlength="100" value="${escapeHtml(page.query ?? '')}"></form>
<a class="narrow" href="#contents">Contents</a>
<a href="/docs/api">API reference</a>
<a href="/">Console</a>
</header>
<div class="page">
<main id="text">
${page.isChinese ? CHINESE_NOTE : ''}${page.html}</main>
<nav class="side" id="contents" aria-label="Contents">
${contents.map((group) => groupHtml(group, page)).join('\n')}
</nav>
</div>
</body>
</html>
`;

const nameFor = (name: string, { isChinese }: Page): string => {
  const chinese = isChinese ? CHINESE_TITLES[name] : undefined;
  return chinese === undefined ? escapeHtml(name) : `<span lang="zh-CN">${chinese}</span>`;
};

const groupHtml = ({ title, links }: ContentsGroup, page: Page): string =>
  `<h2>${nameFor(title, page)}</h2>\n<ul>\n${links.map((link) => itemHtml(link, page)).join('\n')}\n</ul>`;

function itemHtml({ href, text }: ContentsGroup['links'][number], page: Page): string {
  if (href !== page.href) return `<li><a href="${escapeHtml(href)}">${nameFor(text, page)}</a></li>`;
  const parts = page.headings
    .filter(({ level }) => level === 2)
    .map((each) => `<li><a href="#${escapeHtml(each.id)}">${escapeHtml(each.text)}</a></li>`);
  const inner = parts.length > 1 ? `\n<ul>\n${parts.join('\n')}\n</ul>\n` : '';
  return `<li><a href="${escapeHtml(href)}" aria-current="page">${nameFor(text, page)}</a>${inner}</li>`;
}
