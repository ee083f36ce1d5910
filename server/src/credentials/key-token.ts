import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from '../platform/ids/index.js';
import { randomSecret } from '../platform/secrets/index.js';

/**
 * `lw_<keyId>_<secret><checksum>`: a public id, 190 random bits, and a checksum by which a mistyped key is
 * refused without a query.
 */
const KEY_ID_LENGTH = 16;
const CHECKSUM_LENGTH = 6;
const FORMAT = /^lw_([0-9A-Za-z]{16})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

export interface KeyPair {
  keyId: string;
  secret: string;
  apiKey: string;
}

const checksum = (text: string): string => toBase62(crc32(text), CHECKSUM_LENGTH);

export const newKeyId = (): string => randomBase62(KEY_ID_LENGTH);

export function newKeyPair(keyId: string): KeyPair {
  const secret = randomSecret();
  const body = `lw_${keyId}_${secret}`;
  return { keyId, secret, apiKey: body + checksum(body) };
}

/** The key id in a well-formed token, or null. */
export function keyIdOf(token: string): string | null {
  const match = FORMAT.exec(token);
  const body = token.slice(0, -CHECKSUM_LENGTH);
  return match?.[1] !== undefined && checksum(body) === match[3] ? match[1] : null;
}
