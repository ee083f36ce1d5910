import { createHash, randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 16;

/**
 * `prd_01k9…`: a prefix, 48 bits of time and 80 random bits in 26 characters.
 * Sorts by creation time and cannot be guessed.
 */
export function newId(prefix: string, at: Date): string {
  let time = at.getTime();
  let head = '';
  for (let i = 0; i < 10; i++) {
    head = CROCKFORD.charAt(time % 32) + head;
    time = Math.floor(time / 32);
  }
  const random = randomBytes(RANDOM_CHARACTERS);
  let tail = '';
  for (const byte of random) tail += CROCKFORD.charAt(byte & 31);
  return `${prefix}_${head}${tail}`;
}

/** Ids of this prefix made at `at` or later sort behind this text, and the earlier ones before it. */
export const firstIdAt = (prefix: string, at: Date): string => newId(prefix, at).slice(0, -RANDOM_CHARACTERS);

/** An id that is the same for the same text, in the form of the others. */
export function derivedId(prefix: string, text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 26);
  return `${prefix}_${[...bytes].map((byte) => CROCKFORD.charAt(byte & 31)).join('')}`;
}

export function isId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(prefix.length + 1));
}

/** Uniform random characters from 0-9A-Za-z (5.95 bits each). */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 = 4 × 62: larger bytes would favour the first characters.
      if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}

export function toBase62(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
