import { describe, expect, it } from 'vitest';
import { secretBox } from './index.js';

describe('the secret box', () => {
  const old = secretBox(['old']);
  const rotated = secretBox(['new', 'old']);
  const fresh = secretBox(['new']);

  it('opens what it sealed, and seals the same thing differently each time', () => {
    for (const plain of ['', 'whsec_abc', 'päss wörd 🩺']) {
      const sealed = old.seal(plain);
      expect(old.open(sealed)).toBe(plain);
      expect(sealed).not.toBe(old.seal(plain));
      if (plain !== '') expect(sealed).not.toContain(plain);
    }
  });

  it('new,old: opens what either made, seals with the new one, and knows what to seal again', () => {
    const before = old.seal('secret');
    expect(rotated.open(before)).toBe('secret');
    expect(rotated.isStale(before)).toBe(true);
    const after = rotated.seal(rotated.open(before));
    expect(rotated.isStale(after)).toBe(false);
    expect(fresh.open(after)).toBe('secret');
    expect(() => fresh.open(before)).toThrow('unknown key');
    expect(() => old.open(after)).toThrow('unknown key');
  });

  it('refuses what was changed, cut short or forged', () => {
    const [version, id, iv, body] = old.seal('secret').split('.') as [string, string, string, string];
    const flipped = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
    for (const sealed of [
      `${version}.${id}.${iv}.${flipped(body)}`,
      `${version}.${id}.${flipped(iv)}.${body}`,
      `${version}.${id}.${iv}.${body.slice(0, -4)}`,
      `${version}.${flipped(id)}.${iv}.${body}`,
      `v2.${id}.${iv}.${body}`,
      `${version}.${id}.${iv}.`,
      'nonsense',
      '',
    ])
      expect(() => old.open(sealed)).toThrow();
  });

  it('needs a key', () => {
    expect(() => secretBox([])).toThrow('at least one key');
  });
});
