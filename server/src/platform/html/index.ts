import { createHash } from 'node:crypto';

const STYLE = `
  body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #17212b; background: #f3f5f7 }
  main { max-width: 26rem; margin: 8vh auto; padding: 2rem; background: #fff; border: 1px solid #d7dde3; border-radius: 8px }
  h1 { margin: 0 0 1rem; font-size: 1.35rem }
  label { display: block; margin: 1rem 0 .25rem; font-weight: 600 }
  input { box-sizing: border-box; width: 100%; padding: .55rem; font: inherit; border: 1px solid #8492a1; border-radius: 4px }
  button { margin: 1.25rem .5rem 0 0; padding: .55rem 1.2rem; font: inherit; border: 1px solid #0b5cad; border-radius: 4px; background: #0b5cad; color: #fff; cursor: pointer }
  button.plain { background: #fff; color: #0b5cad }
  code { font-size: 1.05em; overflow-wrap: anywhere }
  ul { padding-left: 1.2rem }
  .problem { padding: .6rem .8rem; background: #fdecea; border: 1px solid #c0392b; border-radius: 4px }
  .note { color: #51606e }
`;
const styleHash = createHash('sha256').update(STYLE).digest('base64');

/**
 * No scripts, no framing, and no resources of other origins. `form-action` is not restricted, because consent redirects to
 * the app.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => ENTITIES[c] as string);

/** A complete page. `body` is HTML: the caller escapes foreign text in it. */
export const htmlPage = ({ title, body }: { title: string; body: string }): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Lotward</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
