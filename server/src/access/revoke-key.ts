import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { lockStoredKey, markKeyRevoked } from './access.store.js';

/** Takes effect on every process within a second; revoking again changes nothing. */
export async function revokeKey(tx: Tx, keyId: string): Promise<{ keyId: string; revokedAt: Date }> {
  const key = await lockStoredKey(tx, keyId);
  if (!key) throw missing('key', 'keyId');
  if (key.revokedAt) return { keyId, revokedAt: key.revokedAt };
  await markKeyRevoked(tx, keyId);
  await recordAudit(tx, {
    action: 'key.revoke',
    entityType: 'api_key',
    entityId: keyId,
    after: { revokedAt: tx.now },
  });
  return { keyId, revokedAt: tx.now };
}
