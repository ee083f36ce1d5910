import { invalid, isStorableText } from './json-body.js';

/** The longest name by which a list is sorted. */
const KEY_PART_MAX = 300;

/** Keyset pagination: a cursor contains the key of the last item, so concurrent writes skip or repeat nothing. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

export function encodeCursor(list: string, key: readonly string[]): string {
  return Buffer.from(JSON.stringify([list, ...key])).toString('base64url');
}

/** Returns the key in a cursor of this list, or null without a cursor. Throws for any other text. */
export function decodeCursor(
  list: string,
  cursor: string | undefined,
  length: number,
  lengthMax = length,
): string[] | null {
  if (cursor === undefined) return null;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw invalid('bad_cursor', 'cursor');
  }
  if (!isKey(parts, length + 1, lengthMax + 1)) throw invalid('bad_cursor', 'cursor');
  const key = parts.slice(1);
  // The decoder ignores characters that are not base64, so only a text that encodes to itself is accepted.
  if (encodeCursor(list, key) !== cursor) throw invalid('bad_cursor', 'cursor');
  return key;
}

const isKey = (value: unknown, length: number, lengthMax: number): value is string[] =>
  Array.isArray(value) &&
  value.length >= length &&
  value.length <= lengthMax &&
  value.every((part) => typeof part === 'string' && part.length <= KEY_PART_MAX && isStorableText(part));

/** Builds a page from up to `limit + 1` rows; the extra row shows that another page follows. */
export function toPage<R, T>(
  list: string,
  rows: readonly R[],
  limit: number,
  key: (row: R) => string[],
  view: (row: R) => T,
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(view),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(list, key(last)) : null,
  };
}
