import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from '../platform/ids/index.js';
import { randomSecret } from '../platform/secrets/index.js';

/**
 * `lw_<keyId>_<secret><checksum>`, `lwt_…` in a sandbox: a public id, 190 random bits, and a checksum by which a mistyped key is
 * refused without a query. The stored hash covers all of it, so a key with the prefix of the other kind is another key.
 */
const KEY_ID_LENGTH = 16;
const CHECKSUM_LENGTH = 6;
const FORMAT = /^lwt?_([0-9A-Za-z]{16})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

export interface KeyPair {
  keyId: string;
  secret: string;
  apiKey: string;
}

const checksum = (text: string): string => toBase62(crc32(text), CHECKSUM_LENGTH);

export const newKeyId = (): string => randomBase62(KEY_ID_LENGTH);

export function newKeyPair(keyId: string, isSandbox = false): KeyPair {
  const secret = randomSecret();
  const body = `${isSandbox ? 'lwt' : 'lw'}_${keyId}_${secret}`;
  return { keyId, secret, apiKey: body + checksum(body) };
}

/** Whether the token says that it is of a sandbox. */
export const isSandboxToken = (token: string): boolean => token.startsWith('lwt_');

/** The key id in a well-formed token, or null. */
export function keyIdOf(token: string): string | null {
  const match = FORMAT.exec(token);
  const body = token.slice(0, -CHECKSUM_LENGTH);
  return match?.[1] !== undefined && checksum(body) === match[3] ? match[1] : null;
}
