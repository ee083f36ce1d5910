import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, toPage } from './page.js';

describe('cursors', () => {
  it('give back the key they were made of', () => {
    for (const key of [['A'], ['批次/"1"', ''], ['a', 'b', 'c'], ['🩺'.repeat(100)]])
      expect(decodeCursor('list', encodeCursor('list', key), key.length)).toEqual(key);
    expect(decodeCursor('list', undefined, 1)).toBeNull();
  });

  it('are plain text in an address', () => {
    expect(encodeCursor('list', ['>>>???'])).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  it('of another list, another length or another writing are refused', () => {
    const cursor = encodeCursor('list', ['A']);
    for (const [list, text, length] of [
      ['other', cursor, 1],
      ['list', cursor, 2],
      ['list', `${cursor}=`, 1],
      ['list', cursor.replace(/.$/, ''), 1],
      ['list', Buffer.from('["list","A"] ').toString('base64url'), 1],
      ['list', '', 1],
    ] as const)
      expect(() => decodeCursor(list, text, length)).toThrow('the cursor was not issued by this list');
  });
});

describe('a page of the rows that were read', () => {
  const page = (rows: string[], limit: number) =>
    toPage(
      'list',
      rows,
      limit,
      (row) => [row],
      (row) => row.toUpperCase(),
    );

  it('has a cursor only when one more row was there, and points at the last one shown', () => {
    expect(page([], 2)).toEqual({ items: [], nextCursor: null });
    expect(page(['a', 'b'], 2)).toEqual({ items: ['A', 'B'], nextCursor: null });
    expect(page(['a', 'b', 'c'], 2)).toEqual({ items: ['A', 'B'], nextCursor: encodeCursor('list', ['b']) });
  });
});
