import type { Tx } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';

export interface Person {
  userId: string;
  email: string;
}

/**
 * The password or second factor of a person changed: what others were allowed before the change must not go on. With
 * `before`, only what was allowed under an earlier generation of the account.
 */
export const onSignInChanged =
  createHook<[tx: Tx, person: Person & { before?: number }]>('people.onSignInChanged');

/** A person was removed, in the same transaction: nothing that belongs to them goes on. */
export const onPersonRemoved = createHook<[tx: Tx, person: Person]>('people.onPersonRemoved');
