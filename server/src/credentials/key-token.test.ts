import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashToken } from '../platform/secrets/index.js';
import { keyIdOf, newKeyId, newKeyPair } from './key-token.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('a key', () => {
  it('is one string of prefix, public id, secret and checksum, from which the id can be read', () => {
    const { keyId, secret, apiKey } = newKeyPair(newKeyId());
    expect(apiKey).toMatch(/^lw_[0-9A-Za-z]{16}_[0-9A-Za-z]{38}$/);
    expect(apiKey.startsWith(`lw_${keyId}_${secret}`)).toBe(true);
    expect(keyIdOf(apiKey)).toBe(keyId);
  });

  it('carries at least 160 random bits, evenly spread', () => {
    const secrets = Array.from({ length: 2_000 }, () => newKeyPair('0'.repeat(16)).secret);
    expect(secrets[0]?.length ?? 0).toBeGreaterThanOrEqual(160 / Math.log2(62));
    expect(new Set(secrets).size).toBe(secrets.length);
    const letters = secrets.join('');
    const fair = letters.length / 62;
    for (const letter of BASE62) {
      const seen = letters.split(letter).length - 1;
      expect(Math.abs(seen - fair) / fair, letter).toBeLessThan(0.25);
    }
  });

  it('with any one character changed is recognised as mistyped', () => {
    const { apiKey } = newKeyPair(newKeyId());
    const place = fc.integer({ min: 0, max: apiKey.length - 1 });
    fc.assert(
      fc.property(place, fc.constantFrom(...BASE62, '_', '-', ' '), (at, letter) => {
        fc.pre(apiKey[at] !== letter);
        expect(keyIdOf(apiKey.slice(0, at) + letter + apiKey.slice(at + 1))).toBeNull();
      }),
    );
  });

  it('is recognised in no other text', () => {
    fc.assert(fc.property(fc.string(), (text) => keyIdOf(text) === null));
    const { apiKey } = newKeyPair(newKeyId());
    for (const text of [
      `${apiKey}\n`,
      `\n${apiKey}`,
      `${apiKey}x`,
      apiKey.slice(0, -1),
      apiKey.toUpperCase(),
    ])
      expect(keyIdOf(text), JSON.stringify(text)).toBeNull();
  });

  it('with another secret under the same id has another hash', () => {
    const keyId = newKeyId();
    expect(hashToken(newKeyPair(keyId).apiKey)).not.toEqual(hashToken(newKeyPair(keyId).apiKey));
  });
});
