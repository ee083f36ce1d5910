/** Character sets as functions: one look per character, whatever the text. */

const codes = (characters: string): ReadonlySet<number> =>
  new Set([...characters].map((character) => character.charCodeAt(0)));

const DIGITS = '0123456789';
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** GS1 AI encodable character set 82, in the order that gives each character its value. */
export const SET_82 = `!"%&'()*+,-./${DIGITS}:;<=>?${CAPITALS}_${CAPITALS.toLowerCase()}`;

const sets = {
  digits: codes(DIGITS),
  alphanumeric: codes(DIGITS + CAPITALS),
  set82: codes(SET_82),
  set39: codes(`#-/${DIGITS}${CAPITALS}`),
  /** File-safe, URI-safe base 64. */
  set64: codes(`-${DIGITS}=${CAPITALS}_${CAPITALS.toLowerCase()}`),
  letters: codes(CAPITALS),
  /** What a product number of HIBC is made of. */
  spaced: codes(`${DIGITS}${CAPITALS} `),
} as const;

export type CharacterSet = keyof typeof sets;

/** Index of the first character outside the set, or -1. */
export function firstOutside(text: string, set: CharacterSet): number {
  const allowed = sets[set];
  for (let at = 0; at < text.length; at += 1) {
    if (!allowed.has(text.charCodeAt(at))) return at;
  }
  return -1;
}

export function consistsOf(text: string, set: CharacterSet): boolean {
  return firstOutside(text, set) === -1;
}

export function isDigits(text: string): boolean {
  return text !== '' && consistsOf(text, 'digits');
}

/** How many characters of the set stand at the given place. */
export function runLength(text: string, from: number, set: CharacterSet): number {
  const allowed = sets[set];
  let to = from;
  while (to < text.length && allowed.has(text.charCodeAt(to))) to += 1;
  return to - from;
}
