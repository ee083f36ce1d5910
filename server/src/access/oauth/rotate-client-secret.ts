import { recordAudit } from '../../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import { missing } from '../../platform/errors/index.js';
import { refuseAccess } from '../access.errors.js';
import { requireOverlap } from '../credential-facts.js';
import { hashToken } from '../key-token.js';
import { lockStoredClient, replaceSecretOfClient } from './client.store.js';
import { newClientSecret } from './client-secret.js';
import type { ClientPair } from './create-client.js';

/** A new secret; the one before it, and no older one, goes on working for the overlap. Tokens stay valid. */
export async function rotateClientSecret(
  tx: Tx,
  clientId: string,
  overlapSeconds: number,
): Promise<ClientPair & { overlapUntil: Date }> {
  requireOverlap(overlapSeconds);
  const client = await lockStoredClient(tx, clientId);
  if (!client) throw missing('client', 'clientId');
  if (client.revokedAt) throw refuseAccess('client_revoked', null);
  const clientSecret = newClientSecret();
  const overlapUntil = new Date(tx.now.getTime() + overlapSeconds * 1000);
  const previous = overlapSeconds === 0 ? null : { hash: client.secretHash, validUntil: overlapUntil };
  await replaceSecretOfClient(tx, clientId, hashToken(clientSecret), previous);
  await recordAudit(tx, {
    action: 'client.rotate',
    entityType: 'oauth_client',
    entityId: clientId,
    after: { overlapUntil },
  });
  return { clientId, clientSecret, overlapUntil };
}
