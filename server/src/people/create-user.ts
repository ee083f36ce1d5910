import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import { lockAccountRow, saveNewAccount, savePassword, withinAccount } from './account.store.js';
import { saveActiveMembership } from './membership.store.js';
import { refusePerson } from './people.errors.js';
import { isEmail, type UserRole } from './user.js';
import { readMemberByEmail, saveNewUser, saveUserAgain } from './user.store.js';

export interface User {
  userId: string;
  email: string;
  role: UserRole;
}

export interface NewUser {
  email: string;
  role: UserRole;
  /** Used if the person has no account yet. */
  name?: string;
  /** Used if the person has no account yet. */
  passwordHash?: string;
  /** Refuses a person who has an account. */
  isNewPerson?: boolean;
}

/**
 * Called by the operator, who vouches for the person, so they are a member immediately. A person with an account keeps it. A
 * user without a password gets mail and can set a password through it.
 */
export async function createUser(tx: Tx, input: NewUser): Promise<User> {
  const { role } = input;
  const email = input.email.toLowerCase();
  if (!isEmail(email)) throw refusePerson('bad_email', '/email');
  const known = await readMemberByEmail(tx, email);
  if (known?.status === 'active') throw refusePerson('email_taken', '/email');
  const user = { userId: known?.userId ?? newId('usr', tx.now), email, role };
  await withinAccount(tx, email, async () => {
    if (known) await saveUserAgain(tx, user.userId, { role, status: 'active' });
    else await saveNewUser(tx, { ...user, status: 'active' });
    await requireOwnAccount(tx, { ...input, email });
    await saveActiveMembership(tx, email, user.userId);
  });
  await recordAudit(tx, { action: 'user.create', entityType: 'user', entityId: user.userId, after: user });
  return user;
}

async function requireOwnAccount(tx: Tx, input: NewUser): Promise<void> {
  const { email, name, passwordHash, isNewPerson } = input;
  if (await saveNewAccount(tx, email, passwordHash ?? null, name ?? null)) return;
  if (isNewPerson) throw refusePerson('has_account', '/email');
  const account = await lockAccountRow(tx, email);
  if (passwordHash === undefined) return;
  if (account?.hasPassword) throw refusePerson('has_password', '/password');
  await savePassword(tx, email, passwordHash);
}
