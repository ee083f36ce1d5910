import type { Tx } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';

/** Called in the transaction that revokes a key or a client, once it is saved. */
export const onCredentialRevoked = createHook<[tx: Tx, type: 'key' | 'client', id: string]>(
  'credentials.onCredentialRevoked',
);
