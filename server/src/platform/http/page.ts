import { invalid, isStorableText } from './json-body.js';

/** Pages by key: a cursor holds the key of the last item, so nothing is skipped or repeated under writes. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

export function encodeCursor(list: string, key: readonly string[]): string {
  return Buffer.from(JSON.stringify([list, ...key])).toString('base64url');
}

/** The key in a cursor of this list, or null when there is none; anything else is refused. */
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
  // The decoder passes over what is not base64: only the very text that this list gives out is taken back.
  if (encodeCursor(list, key) !== cursor) throw invalid('bad_cursor', 'cursor');
  return key;
}

const isKey = (value: unknown, length: number, lengthMax: number): value is string[] =>
  Array.isArray(value) &&
  value.length >= length &&
  value.length <= lengthMax &&
  value.every((part) => typeof part === 'string' && part.length <= 256 && isStorableText(part));

/** From `limit + 1` rows read: a page, and whether another follows. */
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
