import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../../platform/html/index.js';

export interface Heading {
  level: number;
  id: string;
  text: string;
}

export interface Rendered {
  title: string;
  headings: readonly Heading[];
  html: string;
}

/** The address to which a link of this page leads on the site; null for none. */
export type LinkOf = (target: string) => string | null;

const TABLE_OPEN = '<div class="wide" role="group" aria-label="Table" tabindex="0">';

/** The pages are ours. Even so, nothing in them becomes markup that Markdown did not produce. */
export function renderMarkdown(text: string, linkOf: LinkOf): Rendered {
  const headings: Heading[] = [];
  const idOf = headingIds();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens);
        const plain = this.parser.parseInline(tokens, this.parser.textRenderer);
        const heading = { level: depth, id: idOf(plain), text: plain };
        headings.push(heading);
        return `<h${depth} id="${escapeHtml(heading.id)}">${html}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const html = this.parser.parseInline(tokens);
        const target = linkOf(href);
        return target === null ? html : `<a href="${escapeHtml(target)}">${html}</a>`;
      },
      image({ href, text: alt }: Tokens.Image) {
        const target = linkOf(href);
        return target === null
          ? escapeHtml(alt)
          : `<img src="${escapeHtml(target)}" alt="${escapeHtml(alt)}">`;
      },
      // The words after the language are for the tests, which run these blocks.
      code: ({ text: code }: Tokens.Code) =>
        `<pre tabindex="0"><code>${escapeHtml(code.replace(/\n$/, ''))}\n</code></pre>\n`,
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[]) => row.map((cell) => this.tablecell(cell)).join('');
        const head = this.tablerow({ text: cells(token.header) });
        const body = token.rows.map((row) => this.tablerow({ text: cells(row) })).join('');
        return `${TABLE_OPEN}<table>\n<thead>\n${head}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
      },
      html: ({ text: html }: Tokens.HTML | Tokens.Tag) =>
        /^\s*<!--[\s\S]*-->\s*$/.test(html) ? '' : escapeHtml(html),
    },
  });
  const html = marked.parse(text, { async: false });
  const title = headings.find(({ level }) => level === 1)?.text ?? 'Lotward';
  return { title, headings, html };
}

/**
 * Numbered the way code hosts do it, so that a link works in both places: lower case, no punctuation, a number for
 * duplicates.
 */
function headingIds(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const slug = text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  };
}
