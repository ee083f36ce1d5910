import { expect, it } from 'vitest';
import { fingerprintOf, isSameFingerprint } from './fingerprint.js';

/** From `printf 'a licence' | sha256sum`. */
const LICENCE = '55fc865afb87f4f5dbd4bf1161c63c9a0d3dde8999c03493a3cea79e560dbc64';

it('a document is identified by its SHA-256, as other programs compute it', async () => {
  expect(await fingerprintOf(new Blob(['a licence']))).toBe(`sha256:${LICENCE}`);
});

it('a fingerprint is the same with and without its algorithm, in capitals or not', () => {
  expect(isSameFingerprint(`sha256:${LICENCE}`, LICENCE.toUpperCase())).toBe(true);
  expect(isSameFingerprint(`sha256:${LICENCE}`, LICENCE.replace(/.$/, '0'))).toBe(false);
});
