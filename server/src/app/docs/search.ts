import { escapeHtml } from '../../platform/html/index.js';
import { inEnglish } from './chinese.js';
import type { Rendered } from './markdown.js';

/** The text below one heading of a page. */
export interface Section {
  href: string;
  /** The title of its page. */
  page: string;
  heading: string;
  text: string;
  /** The text that is searched, in lower case. Computed once, because anyone may search. */
  searched: string;
}

const HEADING = /<h[1-3] id="([^"]*)">(.*?)<\/h[1-3]>/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

const plainText = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();

/** A page, divided at its headings. */
export function sectionsOf({ title, html }: Pick<Rendered, 'title' | 'html'>, href: string): Section[] {
  const headings = [...html.matchAll(HEADING)];
  return headings.map((found, at) => {
    const [whole, id = '', heading = ''] = found;
    const name = plainText(heading);
    const text = plainText(html.slice(found.index + whole.length, headings[at + 1]?.index));
    return {
      href: at === 0 ? href : `${href}#${id}`,
      page: title,
      heading: name,
      text,
      searched: `${title} ${name} ${text}`.toLowerCase(),
    };
  });
}

const WORDS_MAX = 8;
const FOUND_MAX = 30;

const wordsOf = (query: string): string[] =>
  inEnglish(query).toLowerCase().split(/\s+/).filter(Boolean).slice(0, WORDS_MAX);

/**
 * Sections that contain all words of the query: those with the most words in the title or heading first, then in the order
 * of the pages.
 */
export function findSections(sections: readonly Section[], query: string): Section[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const count = (text: string) => words.filter((word) => text.toLowerCase().includes(word)).length;
  return sections
    .filter(({ searched }) => words.every((word) => searched.includes(word)))
    .map((section) => ({ section, weight: 2 * count(section.heading) + count(section.page) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, FOUND_MAX)
    .map(({ section }) => section);
}

const EXCERPT = 180;

/** The text around the first word that it contains. */
function excerptOf({ text }: Section, query: string): string {
  const lower = text.toLowerCase();
  const first = Math.min(
    ...wordsOf(query)
      .map((word) => lower.indexOf(word))
      .filter((at) => at >= 0),
  );
  const from = Number.isFinite(first) ? Math.max(0, first - EXCERPT / 3) : 0;
  const part = text.slice(from, from + EXCERPT).trim();
  return `${from > 0 ? '… ' : ''}${part}${from + EXCERPT < text.length ? ' …' : ''}`;
}

/** The page of search results. */
export function searchHtml(query: string, found: readonly Section[]): string {
  const title = query === '' ? 'Search' : `Search: ${query}`;
  const items = found.map(
    (section) =>
      `<li><a href="${escapeHtml(section.href)}">${escapeHtml(nameOf(section))}</a><br>${escapeHtml(excerptOf(section, query))}</li>`,
  );
  const body =
    items.length > 0
      ? `<ul>\n${items.join('\n')}\n</ul>`
      : `<p>${query === '' ? 'Enter words to look for.' : 'No page has all of these words.'}</p>`;
  return `<h1>${escapeHtml(title)}</h1>\n${body}\n`;
}

const nameOf = ({ page, heading }: Section): string => (page === heading ? page : `${page}: ${heading}`);
