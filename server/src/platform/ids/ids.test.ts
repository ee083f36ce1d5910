import { describe, expect, it } from 'vitest';
import { isId, newId, newRowNumbers, randomBase62, toBase62 } from './index.js';

const at = new Date('2026-11-15T10:00:00.000Z');

describe('ids', () => {
  it('carry their prefix and are distinguished from others', () => {
    const id = newId('prd', at);
    expect(id).toMatch(/^prd_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(isId('prd', id)).toBe(true);
    for (const other of [
      `x${id}`,
      id.slice(0, -1),
      `${id}0`,
      id.toUpperCase(),
      id.replace('prd', 'ord'),
      'prd_',
      '',
    ])
      expect([other, isId('prd', other)]).toEqual([other, false]);
  });

  it('sort by the moment they were made', () => {
    const moments = [0, 1, 31, 32, 1_000_000, at.getTime(), at.getTime() + 1, Date.UTC(9999, 11, 31)];
    const ids = moments.map((ms) => newId('evt', new Date(ms)));
    expect([...ids].sort()).toEqual(ids);
  });

  it('do not repeat, also within one millisecond', () => {
    expect(new Set(Array.from({ length: 20_000 }, () => newId('evt', at))).size).toBe(20_000);
  });
});

describe('random text', () => {
  it('has the length asked for and favours no character', () => {
    expect(randomBase62(0)).toBe('');
    const text = randomBase62(62_000);
    expect(text).toMatch(/^[0-9A-Za-z]{62000}$/);
    const counts = new Map<string, number>();
    for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 1000 expected of each; 8 standard deviations either way.
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(255);
  });

  it('numbers in base 62 are padded and keep their order', () => {
    expect([0, 61, 62, 3_843].map((value) => toBase62(value, 2))).toEqual(['00', '0z', '10', 'zz']);
    expect(toBase62(0xffffffff, 6)).toHaveLength(6);
  });
});

describe('numbers of rows', () => {
  const made = Array.from({ length: 20_000 }, () => BigInt(newRowNumbers()));

  it('fit a bigint and leave room to count from', () => {
    for (const number of made) expect(number >= 0n && number < 2n ** 63n - 2n ** 24n).toBe(true);
  });

  it('of one process do not meet, and follow each other', () => {
    // The time in them begins again every three days: at most once here.
    const steps = made.slice(1).map((number, i) => number - (made[i] ?? 0n));
    expect(steps.filter((step) => step < 2n ** 24n).length).toBeLessThanOrEqual(1);
  });
});
