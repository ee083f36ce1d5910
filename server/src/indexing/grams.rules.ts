/** Two characters are a word in Chinese; for numbers, three tell far more entries apart. Both are entered. */
const SHORT = 2;
const LONG = 3;
/** Entries in a stretch of positions: the most that one search step has to read. */
export const STRETCH = 8_192;
const WORDS_MAX = 40;
const WORD_LENGTH_MAX = 256;
const TERMS_MAX = 6;
/** Begins each word of a body and follows the last one. Normalized text never contains it. */
const EDGE = '\n';

/** Text as it is compared: any case, any width of character, one space between words. */
const normalizeText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: group separators of scanned codes, and what PostgreSQL does not store
    .replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim();

/** The words by which an entry is found by any part, and its id, by which it is found as a whole only. */
export interface Findable {
  words: readonly (string | null)[];
  id: string | null;
}

/** Where an entry stands. */
export interface Place {
  orgId: string;
  kind: string;
  position: number;
}

export const stretchOf = (position: number): number => Math.floor((position - 1) / STRETCH);

function wordsOf({ words }: Findable): string[] {
  const kept = words.flatMap((word) =>
    word === null ? [] : [normalizeText(word).slice(0, WORD_LENGTH_MAX)],
  );
  return [...new Set(kept)].filter((word) => word !== '').slice(0, WORDS_MAX);
}

/** The text in which terms are looked for. */
export function bodyOf(findable: Findable): string {
  const id = findable.id === null ? [] : [normalizeText(findable.id)];
  return `${EDGE}${[...wordsOf(findable), ...id].join(EDGE)}${EDGE}`;
}

/** All grams of an entry: those of its words in its stretch, and each word as a whole. */
export function gramsOf(findable: Findable, { orgId, kind, position }: Place): number[] {
  const words = wordsOf(findable);
  const part = hasher(orgId, kind, String(stretchOf(position)));
  const whole = hasher(orgId, kind, 'whole');
  const grams = new Set(words.map(whole));
  if (findable.id !== null) grams.add(whole(normalizeText(findable.id)));
  for (const word of words) {
    const characters = [EDGE, ...word];
    for (const size of [SHORT, LONG]) for (const gram of windows(characters, size)) grams.add(part(gram));
  }
  return [...grams];
}

/** A search: the body of a matching entry contains all terms. */
export interface Sought {
  text: string;
  terms: readonly string[];
}

/** Null if there is nothing to search for. */
export function soughtIn(query: string): Sought | null {
  const text = normalizeText(query);
  if (text === '') return null;
  return { text, terms: [...new Set(text.split(' '))].slice(0, TERMS_MAX) };
}

/** The gram of entries with the text as a whole word. */
export const wholeGrams = ({ text }: Sought, orgId: string, kind: string): number[] => [
  hasher(orgId, kind, 'whole')(text),
];

/** The grams of entries in a stretch that have all terms anywhere; none if every term is a single character. */
export function partGrams({ terms }: Sought, orgId: string, kind: string, stretch: number): number[] {
  const hash = hasher(orgId, kind, String(stretch));
  return [...new Set(terms.flatMap((term) => soughtGrams([...term])).map(hash))];
}

/** The grams of entries in a stretch with a word that begins with the text. */
export function prefixGrams({ text }: Sought, orgId: string, kind: string, stretch: number): number[] {
  const hash = hasher(orgId, kind, String(stretch));
  return [...new Set(soughtGrams([EDGE, ...text]).map(hash))];
}

const soughtGrams = (characters: readonly string[]): string[] =>
  windows(characters, characters.length < LONG ? SHORT : LONG);

function windows(characters: readonly string[], size: number): string[] {
  const found: string[] = [];
  for (let i = 0; i + size <= characters.length; i++) found.push(characters.slice(i, i + size).join(''));
  return found;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Hashes to PostgreSQL integers. Hashes are stored, so the function must never change. A collision only costs reading an
 * extra entry, because the organization, kind and text are compared as well.
 */
function hasher(...place: readonly string[]): (gram: string) => number {
  const seed = fnv(FNV_OFFSET, JSON.stringify(place));
  return (gram) => scatter(fnv(seed, gram));
}

function fnv(seed: number, text: string): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash;
}

/** The last step of MurmurHash3: similar texts get very different hashes. */
function scatter(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) | 0;
}
