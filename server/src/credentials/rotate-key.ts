import { isSandbox } from '../organizations/index.js';
import type { Tx } from '../platform/database/index.js';
import { hashToken } from '../platform/secrets/index.js';
import type { StoredKey } from './credential.js';
import { KEY, rotateSecret } from './credential-lifecycle.js';
import { type KeyPair, newKeyPair } from './key-token.js';

/** A new secret under the same key id. */
export async function rotateKey(
  tx: Tx,
  keyId: string,
  overlapSeconds: number,
): Promise<KeyPair & Pick<StoredKey, 'scopes' | 'expiresAt'> & { overlapUntil: Date }> {
  const pair = newKeyPair(keyId, await isSandbox(tx));
  const { credential, overlapUntil } = await rotateSecret(
    tx,
    KEY,
    keyId,
    hashToken(pair.apiKey),
    overlapSeconds,
  );
  return { ...pair, scopes: credential.scopes, expiresAt: credential.expiresAt, overlapUntil };
}
