import { describe, expect, it } from 'vitest';
import { secretBox } from './index.js';

describe('the secret box', () => {
  const old = secretBox(['old']);
  const rotated = secretBox(['new', 'old']);
  const fresh = secretBox(['new']);
  const place = { purpose: 'test', orgId: 'org_1', id: 'row_1' };

  it('opens what it sealed, and seals the same thing differently each time', () => {
    for (const plain of ['', 'whsec_abc', 'päss wörd 🩺']) {
      const sealed = old.seal(plain, place);
      expect(old.open(sealed, place)).toBe(plain);
      expect(sealed).not.toBe(old.seal(plain, place));
      if (plain !== '') expect(sealed).not.toContain(plain);
    }
  });

  it('new,old: opens what either made, seals with the new one, and knows what to seal again', () => {
    const before = old.seal('secret', place);
    expect(rotated.open(before, place)).toBe('secret');
    expect(rotated.isStale(before)).toBe(true);
    const after = rotated.seal(rotated.open(before, place), place);
    expect(rotated.isStale(after)).toBe(false);
    expect(fresh.open(after, place)).toBe('secret');
    expect(() => fresh.open(before, place)).toThrow('unknown key');
    expect(() => old.open(after, place)).toThrow('unknown key');
  });

  it('refuses what was changed, cut short or forged', () => {
    const [version, id, iv, body] = old.seal('secret', place).split('.') as [string, string, string, string];
    const flipped = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
    for (const sealed of [
      `${version}.${id}.${iv}.${flipped(body)}`,
      `${version}.${id}.${flipped(iv)}.${body}`,
      `${version}.${id}.${iv}.${body.slice(0, -4)}`,
      `${version}.${flipped(id)}.${iv}.${body}`,
      `v1.${id}.${iv}.${body}`,
      `v3.${id}.${iv}.${body}`,
      `${version}.${id}.${iv}.`,
      'nonsense',
      '',
    ])
      expect(() => old.open(sealed, place)).toThrow();
  });

  it('opens a seal only in the place it was made for', () => {
    const sealed = old.seal('secret', place);
    for (const other of [{ id: 'row_2' }, { orgId: 'org_2' }, { orgId: null }, { purpose: 'other' }])
      expect(() => old.open(sealed, { ...place, ...other })).toThrow();
    // No other division of the same text is the same place.
    const joined = old.seal('secret', { purpose: 'a', orgId: 'b', id: 'c' });
    expect(() => old.open(joined, { purpose: 'a","b', orgId: '', id: 'c' })).toThrow();
  });

  it('opens what was sealed before seals had a place, and wants it sealed again', () => {
    // Made by an earlier version with the key "old".
    const placeless = 'v1.af427d6f.bSJnNwwQcSQQPMd5.O7QksEJRJTTaJVml3-cua88REjOQ_g';
    expect(old.open(placeless, place)).toBe('secret');
    expect(old.isStale(placeless)).toBe(true);
    expect(old.isStale(old.seal('secret', place))).toBe(false);
  });

  it('needs a key', () => {
    expect(() => secretBox([])).toThrow('at least one key');
  });
});
