import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import { refuseAccess } from './access.errors.js';
import { saveNewUser } from './access.store.js';
import { isEmail, type UserRole } from './organization.js';

export interface User {
  userId: string;
  email: string;
  role: UserRole;
}

export async function createUser(tx: Tx, input: { email: string; role: UserRole }): Promise<User> {
  const user = { userId: newId('usr', tx.now), email: input.email.toLowerCase(), role: input.role };
  if (!isEmail(user.email)) throw refuseAccess('bad_email', '/email');
  if (!(await saveNewUser(tx, user))) throw refuseAccess('email_taken', '/email');
  await recordAudit(tx, { action: 'user.create', entityType: 'user', entityId: user.userId, after: user });
  return user;
}
