import type { Tx } from '../platform/database/index.js';
import { CLIENT, revokeCredential } from './credential-lifecycle.js';

/** Its tokens are refused with it. */
export const revokeClient = async (
  tx: Tx,
  clientId: string,
): Promise<{ clientId: string; revokedAt: Date }> => ({
  clientId,
  revokedAt: await revokeCredential(tx, CLIENT, clientId),
});
