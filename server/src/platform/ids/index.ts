import { createHash, randomBytes, randomFillSync, randomInt } from 'node:crypto';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 16;

/** Fetched for many ids at a time: one call per id takes longer than everything else. */
const random = Buffer.alloc(256 * RANDOM_CHARACTERS);
let randomUsed = random.length;

function randomTail(): string {
  if (randomUsed === random.length) {
    randomFillSync(random);
    randomUsed = 0;
  }
  let tail = '';
  for (const end = randomUsed + RANDOM_CHARACTERS; randomUsed < end; randomUsed++)
    tail += CROCKFORD.charAt((random[randomUsed] as number) & 31);
  return tail;
}

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
  return `${prefix}_${head}${randomTail()}`;
}

/** Ids of this prefix created at `at` or later sort after this text, earlier ones before it. */
export const firstIdAt = (prefix: string, at: Date): string => newId(prefix, at).slice(0, -RANDOM_CHARACTERS);

/** An id that is the same for the same text, in the form of the others. */
export function derivedId(prefix: string, text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 26);
  return `${prefix}_${[...bytes].map((byte) => CROCKFORD.charAt(byte & 31)).join('')}`;
}

const TIME_MODULUS = 2n ** 38n;
const TIME_SHIFT = 25n;
const RANDOM_BELOW = 2 ** 24;
let lastMicros = 0;

/**
 * A base number from which the rows of one statement are numbered upwards, for rows that live for minutes: 38 bits of
 * microseconds (which wrap around every three days), then 24 random bits. Numbers of one process never collide and sort by
 * creation time. A sequence would do the same, but a cluster keeps it on its coordinator, where each statement would take
 * three commands and a two-phase commit.
 */
export function newRowNumbers(): string {
  lastMicros = Math.max(Math.floor((performance.timeOrigin + performance.now()) * 1_000), lastMicros + 1);
  return (((BigInt(lastMicros) % TIME_MODULUS) << TIME_SHIFT) + BigInt(randomInt(RANDOM_BELOW))).toString();
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
