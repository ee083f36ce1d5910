import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import { refusePerson } from './people.errors.js';
import { isEmail, type UserRole } from './user.js';
import { saveNewUser } from './user.store.js';

export interface User {
  userId: string;
  email: string;
  role: UserRole;
}

/** A user without a password receives mail, and can set a password by mail. */
export async function createUser(
  tx: Tx,
  input: { email: string; role: UserRole; passwordHash?: string },
): Promise<User> {
  const user = { userId: newId('usr', tx.now), email: input.email.toLowerCase(), role: input.role };
  if (!isEmail(user.email)) throw refusePerson('bad_email', '/email');
  if (!(await saveNewUser(tx, { ...user, status: 'active' }, input.passwordHash ?? null)))
    throw refusePerson('email_taken', '/email');
  await recordAudit(tx, { action: 'user.create', entityType: 'user', entityId: user.userId, after: user });
  return user;
}
