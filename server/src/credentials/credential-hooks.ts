import type { Tx } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';

/** Called in the transaction that revokes or disables a key or a client, once it is saved. */
export const onCredentialEnded = createHook<[tx: Tx, type: 'key' | 'client', id: string]>(
  'credentials.onCredentialEnded',
);
