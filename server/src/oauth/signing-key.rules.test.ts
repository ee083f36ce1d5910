import { describe, expect, it } from 'vitest';
import { keysToRemove, nextKeySigns, signingNow } from './signing-key.rules.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const start = new Date('2026-01-01T00:00:00Z');
const at = (ms: number) => new Date(start.getTime() + ms);
const key = (keyId: string, ms: number) => ({ keyId, signsFrom: at(ms) });

describe('signing keys', () => {
  it('begin with one that signs at once', () => expect(nextKeySigns([], start)).toEqual(start));

  it('follow each other after 90 days, each published 10 minutes before it signs', () => {
    expect(nextKeySigns([key('a', 0)], at(90 * DAY - 1))).toBeNull();
    expect(nextKeySigns([key('a', 0)], at(90 * DAY))).toEqual(at(90 * DAY + 10 * MINUTE));
    expect(nextKeySigns([key('a', 0), key('b', 90 * DAY + 10 * MINUTE)], at(90 * DAY))).toBeNull();
  });

  it('sign one after the other', () => {
    const keys = [key('b', DAY), key('a', 0), key('c', 2 * DAY)];
    const ids = (ms: number) => signingNow(keys, at(ms)).map(({ keyId }) => keyId);
    expect(ids(DAY - 1)).toEqual(['a']);
    expect(ids(DAY)).toEqual(['b', 'a']);
  });

  it('stay published for an hour after the next one began to sign', () => {
    const keys = [key('a', 0), key('b', DAY)];
    expect(keysToRemove(keys, at(DAY + 60 * MINUTE - 1))).toEqual([]);
    expect(keysToRemove(keys, at(DAY + 60 * MINUTE))).toEqual(['a']);
    expect(keysToRemove([key('b', DAY)], at(400 * DAY))).toEqual([]);
  });
});
