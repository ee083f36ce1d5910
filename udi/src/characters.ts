/** Character sets, tested in one pass over the text. */

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
  /** The characters of a HIBC product number. */
  spaced: codes(`${DIGITS}${CAPITALS} `),
} as const;

/** The name of a character set. */
export type CharacterSet = keyof typeof sets;

/** Index of the first character outside the set, or -1. */
export function firstOutside(text: string, set: CharacterSet): number {
  const allowed = sets[set];
  for (let at = 0; at < text.length; at += 1) {
    if (!allowed.has(text.charCodeAt(at))) return at;
  }
  return -1;
}

/** Whether every character is in the set. */
export function consistsOf(text: string, set: CharacterSet): boolean {
  return firstOutside(text, set) === -1;
}

/** Whether the text is one digit or more and nothing else. */
export function isDigits(text: string): boolean {
  return text !== '' && consistsOf(text, 'digits');
}

/** The number of consecutive characters of the set, from the given index. */
export function runLength(text: string, from: number, set: CharacterSet): number {
  const allowed = sets[set];
  let to = from;
  while (to < text.length && allowed.has(text.charCodeAt(to))) to += 1;
  return to - from;
}
