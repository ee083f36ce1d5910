import { describe, expect, it } from 'vitest';
import { addKey, meaningOf, NO_KEYS } from './shortcuts.js';

const meant = (text: string, gapMs: number) => {
  const start = 10_000;
  return meaningOf([...text].reduce((keys, key, at) => addKey(keys, key, start + at * gapMs), NO_KEYS));
};

describe('shortcuts', () => {
  it('are meant by keys at the pace of a person', () => {
    expect(meant('?', 0)).toEqual({ kind: 'sheet' });
    expect(meant('go', 300)).toEqual({ kind: 'page', path: '/orders' });
    expect(meant('xgo', 300)).toEqual({ kind: 'page', path: '/orders' });
  });

  it('a second key that comes too late stands for itself', () => {
    expect(meant('go', 2_000)).toBeNull();
    expect(meant('g?', 2_000)).toEqual({ kind: 'sheet' });
  });

  it.each(['01?', 'go', 'https://id.example/01/1?17=go', 'GO?'])('a scanned code is none: %s', (code) =>
    expect(meant(code, 20)).toBeNull(),
  );

  it('other keys mean nothing', () => {
    expect(meant('g', 0)).toBeNull();
    expect(meant('gz', 300)).toBeNull();
    expect(meant('o', 0)).toBeNull();
  });
});
