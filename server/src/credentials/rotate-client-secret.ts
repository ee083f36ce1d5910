import type { Tx } from '../platform/database/index.js';
import { hashToken } from '../platform/secrets/index.js';
import { newClientSecret } from './client-secret.js';
import type { ClientPair } from './create-client.js';
import { CLIENT, rotateSecret } from './credential-lifecycle.js';

/** A new secret for the client. Its tokens stay valid. */
export async function rotateClientSecret(
  tx: Tx,
  clientId: string,
  overlapSeconds: number,
): Promise<ClientPair & { overlapUntil: Date }> {
  const clientSecret = newClientSecret();
  const hash = hashToken(clientSecret);
  const { overlapUntil } = await rotateSecret(tx, CLIENT, clientId, hash, overlapSeconds);
  return { clientId, clientSecret, overlapUntil };
}
