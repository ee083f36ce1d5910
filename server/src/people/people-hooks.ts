import type { Tx } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';

/** Called in the transaction that removes a person, once it is saved. */
export const onUserRemoved = createHook<[tx: Tx, userId: string]>('people.onUserRemoved');
