import type { Tx } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';

export interface Person {
  userId: string;
  email: string;
}

/**
 * The password or second factor of a person changed: what others were allowed before must end. With `before`, only what was
 * allowed under an earlier generation of the account.
 */
export const onSignInChanged =
  createHook<[tx: Tx, person: Person & { before?: number }]>('people.onSignInChanged');

/** A person was removed, in the same transaction: everything that belongs to them ends. */
export const onPersonRemoved = createHook<[tx: Tx, person: Person]>('people.onPersonRemoved');
