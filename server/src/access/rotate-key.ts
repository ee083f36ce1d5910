import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { refuseAccess } from './access.errors.js';
import { lockStoredKey, replaceKeySecret, type StoredKey } from './access.store.js';
import { requireOverlap } from './credential-facts.js';
import { hashToken, type KeyPair, newKeyPair } from './key-token.js';

/** A new secret under the same key id; the one before it, and no older one, goes on working for the overlap. */
export async function rotateKey(
  tx: Tx,
  keyId: string,
  overlapSeconds: number,
): Promise<KeyPair & Pick<StoredKey, 'scopes' | 'expiresAt'> & { overlapUntil: Date }> {
  requireOverlap(overlapSeconds);
  const key = await lockStoredKey(tx, keyId);
  if (!key) throw missing('key', 'keyId');
  if (key.revokedAt) throw refuseAccess('key_revoked', null);
  const pair = newKeyPair(keyId);
  const overlapUntil = new Date(tx.now.getTime() + overlapSeconds * 1000);
  // Without an overlap the old hash is forgotten: no clock, however late, lets the old secret in again.
  const previous = overlapSeconds === 0 ? null : { hash: key.secretHash, validUntil: overlapUntil };
  await replaceKeySecret(tx, keyId, hashToken(pair.apiKey), previous);
  await recordAudit(tx, {
    action: 'key.rotate',
    entityType: 'api_key',
    entityId: keyId,
    after: { overlapUntil },
  });
  return { ...pair, scopes: key.scopes, expiresAt: key.expiresAt, overlapUntil };
}
