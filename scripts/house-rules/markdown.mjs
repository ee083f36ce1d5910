/* Dead relative links in Markdown: no such file in the repository, or no such heading in it. */
import path from 'node:path';

const fencedCode = /^( {0,3})(`{3,}|~{3,}).*\n[\s\S]*?(?:^ {0,3}\2[`~]*[ \t]*$|$(?![\s\S]))/gm;

/** Blanks code, so that nothing in it looks like a link or a heading. Length and lines stay the same. */
function withoutCode(text) {
  const blank = (code) => code.replace(/[^\n]/g, ' ');
  return text
    .replace(fencedCode, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/(`+)[^`\n](?:[^\n]*?[^`\n])?\1(?!`)/g, blank);
}

/** The anchors GitHub gives to headings: lower case, no punctuation, hyphens for spaces, duplicates numbered. */
function anchorsOf(text) {
  const anchors = new Set();
  const seen = new Map();
  const fenceless = text.replace(fencedCode, '');
  for (const [, heading] of fenceless.matchAll(/^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$/gm)) {
    const slug = heading
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/<[^>]+>/g, '')
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    anchors.add(times === 0 ? slug : `${slug}-${times}`);
  }
  for (const [, id] of fenceless.matchAll(/<[a-z]+\s[^>]*(?:id|name)="([^"]+)"/gi)) anchors.add(id);
  return anchors;
}

function* linksOf(text) {
  const patterns = [
    /\]\(\s*<?([^)\s>]+)>?(?:\s+["'(][^)]*)?\)/g,
    /^ {0,3}\[[^\]^][^\]]*\]:\s+<?([^\s>]+)>?/gm,
    /<(?:a|img|source)\s[^>]*(?:href|src|srcset)="([^"]+)"/gi,
  ];
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) yield { target: match[1], index: match.index };
  }
}

function problemOf(file, target, files, read) {
  const [address, anchor] = target.split('#');
  const decoded = decodeURIComponent(address.split('?')[0]);
  const base = decoded.startsWith('/') ? '.' : path.posix.dirname(file);
  const resolved = decoded === '' ? file : path.posix.join(base, decoded).replace(/\/$/, '');
  const isFile = files.includes(resolved);
  const isFolder = resolved === '.' || files.some((name) => name.startsWith(`${resolved}/`));
  if (!isFile && !isFolder) return 'no such file';
  if (anchor === undefined || anchor === '' || !resolved.endsWith('.md')) return undefined;
  return anchorsOf(read(resolved)).has(decodeURIComponent(anchor)) ? undefined : 'no such heading';
}

export function deadLinks(file, text, files, read) {
  const findings = [];
  const prose = withoutCode(text);
  for (const { target, index } of linksOf(prose)) {
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) continue;
    const problem = problemOf(file, target, files, read);
    if (problem === undefined) continue;
    findings.push({
      line: prose.slice(0, index).split('\n').length,
      rule: 'dead-link',
      text: `${target}: ${problem}`,
    });
  }
  return findings;
}
