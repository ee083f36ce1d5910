import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compress, compressWell, encodingFor } from './content-encoding.js';

describe('the encoding of a body', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['deflate', null],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip, br;q=0.5', 'gzip'],
    ['gzip;q=0.8, br;q=0.8', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0, br;q=0', null],
    ['gzip;q=0, *', 'br'],
    ['*', 'br'],
    ['*;q=0', null],
    ['gzip ; q=0.1', 'gzip'],
    ['gzip;q=nonsense', null],
    ['gzip;q=7', null],
    [',;,q=1;', null],
  ] as const)('for Accept-Encoding %j is %j', (header, expected) => {
    expect(encodingFor(header, 1_024)).toBe(expected);
  });

  it('is none below 1 KiB', () => {
    expect([encodingFor('gzip', 1_023), encodingFor('gzip', 1_024)]).toEqual([null, 'gzip']);
  });

  it.each([1_024, 32 * 1_024, 32 * 1_024 + 1, 500_000])('leads back to all %i bytes', async (bytes) => {
    const body = Buffer.from('{"name":"一次性使用输液器"},'.repeat(bytes / 20)).subarray(0, bytes);
    for (const make of [compress, compressWell]) {
      expect(gunzipSync(await make(body, 'gzip')).equals(body)).toBe(true);
      expect(brotliDecompressSync(await make(body, 'br')).equals(body)).toBe(true);
    }
  });
});
