import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, posix, relative, sep } from 'node:path';
import { StaticDocument } from '../../platform/http/index.js';
import { packageDirectory } from '../../platform/package-directory.js';
import { type ContentsGroup, DOCS_PAGE_HEADERS, layout } from './layout.js';
import { type LinkOf, renderMarkdown } from './markdown.js';
import { findSections, type Section, searchHtml, sectionsOf } from './search.js';

export interface Answer {
  headers: Readonly<Record<string, string>>;
  document: StaticDocument;
}

export interface DocsSite {
  /** The page at a path of the site, or null if there is none. */
  find(path: string, isChinese?: boolean): Answer | null;
  /** A page with the sections that have all words of the query. */
  search(query: string, isChinese?: boolean): string;
  readonly missing: Answer;
}

const ROOT = '/docs';
const HOME = 'README.md';
/** Evidence for developers, which the site leaves out. */
const NOT_SHOWN = /^reports\//;

const FILE_TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.yml': 'text/plain; charset=utf-8',
};
/** A drawing contains its own styles, for light and dark, and loads nothing. */
const FILE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox",
};

/** The folder of the pages: next to the built server, or in the source tree. Null if there is none. */
export function docsDirectory(): string | null {
  const places = ['dist/docs', '../docs'].map((place) => join(packageDirectory, place));
  return places.find((place) => existsSync(join(place, HOME))) ?? null;
}

/** Lists all files at start, so that no request is turned into a path on disk. Pages are rendered on first request. */
export function openDocsSite(directory: string): DocsSite {
  const files = new Map(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((file) => (isPage(file) || FILE_TYPES[extname(file)]) && !NOT_SHOWN.test(file))
      .map((file) => [addressOf(file), file]),
  );
  const linksFrom = (file: string): LinkOf => {
    return (target) => {
      if (/^(https?:|mailto:|#)/.test(target)) return target;
      const [path = '', anchor] = target.split('#');
      const joined = posix.join(posix.dirname(file), decodeURI(path)).replace(/\/$/, '');
      const found = [joined, posix.join(joined, HOME)].find((each) => files.get(addressOf(each)) === each);
      return found === undefined ? null : addressOf(found) + (anchor === undefined ? '' : `#${anchor}`);
    };
  };
  const text = (file: string) => readFileSync(join(directory, file), 'utf8');
  const contents = contentsOf(text(HOME), linksFrom(HOME));
  const rendered = (file: string) => renderMarkdown(text(file), linksFrom(file));
  const page = (file: string, isChinese: boolean): Answer =>
    htmlAnswer(layout(contents, { ...rendered(file), href: addressOf(file), isChinese }));
  let sections: Section[] | null = null;
  const made = new Map<string, Answer>();
  return {
    find(path, isChinese = false) {
      const file = files.get(path.replace(/\/$/, ''));
      if (file === undefined) return null;
      const key = isChinese && isPage(file) ? `zh ${file}` : file;
      const known =
        made.get(key) ?? (isPage(file) ? page(file, isChinese) : fileAnswer(join(directory, file)));
      made.set(key, known);
      return known;
    },
    search(query, isChinese = false) {
      sections ??= [...files.values()]
        .filter(isPage)
        .flatMap((file) => sectionsOf(rendered(file), addressOf(file)));
      const html = searchHtml(query, findSections(sections, query));
      return layout(contents, { title: 'Search', href: null, headings: [], html, query, isChinese });
    },
    missing: htmlAnswer(layout(contents, { ...MISSING, href: null, headings: [] })),
  };
}

const MISSING = {
  title: 'There is no such page',
  html: '<h1>There is no such page</h1>\n<p>It may have been renamed. The contents show what there is.</p>\n',
};

const isPage = (file: string): boolean => file.endsWith('.md');

/** `guides/running.md` is served at /docs/running: the folder names the audience, not the address. */
function addressOf(file: string): string {
  const path = file.replace(/^guides\//, '').replace(/(^|\/)README\.md$/, '');
  return `${ROOT}/${path.replace(/\.md$/, '')}`.replace(/\/$/, '');
}

const htmlAnswer = (body: string): Answer => ({
  headers: DOCS_PAGE_HEADERS,
  document: new StaticDocument(body, 'text/html; charset=utf-8'),
});

const fileAnswer = (file: string): Answer => ({
  headers: FILE_HEADERS,
  document: new StaticDocument(readFileSync(file), FILE_TYPES[extname(file)] as string),
});

/** The lists of the first page, each below its heading. */
function contentsOf(home: string, linkOf: LinkOf): ContentsGroup[] {
  const [, ...sections] = home.split(/^## /m);
  return sections.map((section) => ({
    title: (section.split('\n')[0] as string).trim(),
    links: [...section.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, text = '', target = '']) => ({
      text,
      href: linkOf(target) ?? ROOT,
    })),
  }));
}
