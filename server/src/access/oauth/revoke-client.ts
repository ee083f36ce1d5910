import { recordAudit } from '../../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import { missing } from '../../platform/errors/index.js';
import { lockStoredClient, markClientRevoked } from './client.store.js';

/** Its tokens are refused on every process within a second; revoking again changes nothing. */
export async function revokeClient(tx: Tx, clientId: string): Promise<{ clientId: string; revokedAt: Date }> {
  const client = await lockStoredClient(tx, clientId);
  if (!client) throw missing('client', 'clientId');
  if (client.revokedAt) return { clientId, revokedAt: client.revokedAt };
  await markClientRevoked(tx, clientId);
  await recordAudit(tx, {
    action: 'client.revoke',
    entityType: 'oauth_client',
    entityId: clientId,
    after: { revokedAt: tx.now },
  });
  return { clientId, revokedAt: tx.now };
}
