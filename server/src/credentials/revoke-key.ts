import type { Tx } from '../platform/database/index.js';
import { KEY, revokeCredential } from './credential-lifecycle.js';

export const revokeKey = async (tx: Tx, keyId: string): Promise<{ keyId: string; revokedAt: Date }> => ({
  keyId,
  revokedAt: await revokeCredential(tx, KEY, keyId),
});
