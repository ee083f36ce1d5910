import { recordAudit } from '../audit/index.js';
import { lockOwnOrganization } from '../organizations/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { newId } from '../platform/ids/index.js';
import { refusePerson, tooManyInvitations } from './people.errors.js';
import { onPersonRemoved, onSignInChanged } from './people.hooks.js';
import { type LinkMailing, mailLink, mailNotice, mayInvite } from './people-mails.js';
import { clearTotp } from './sign-in/factor.store.js';
import { removeLinks } from './sign-in/link.store.js';
import { removeSessionsExcept } from './sign-in/session.store.js';
import { isEmail, type UserRole } from './user.js';
import {
  type Account,
  countOtherAdministrators,
  lockAccount,
  readAccount,
  readAccountByEmail,
  type StoredUser,
  saveInvitedAgain,
  saveNewUser,
  saveRemoved,
  saveRole,
} from './user.store.js';

/** Without password and TOTP secrets. */
const shown = (account: StoredUser): StoredUser => ({
  userId: account.userId,
  email: account.email,
  role: account.role,
  status: account.status,
  dailyDigest: account.dailyDigest,
  secondFactor: account.secondFactor,
  lastSignInAt: account.lastSignInAt,
  createdAt: account.createdAt,
});

export async function readUser(tx: Tx, userId: string): Promise<StoredUser | null> {
  const account = await readAccount(tx, userId);
  return account && shown(account);
}

/** A removed or invited person is invited again under the same user id. */
export async function inviteUser(
  tx: Tx,
  input: { email: string; role: UserRole },
  mailing: LinkMailing,
): Promise<StoredUser> {
  const email = input.email.toLowerCase();
  if (!isEmail(email)) throw refusePerson('bad_email', '/email');
  const organization = await lockOwnOrganization(tx);
  const known = await readAccountByEmail(tx, email);
  if (known?.status === 'active') throw refusePerson('email_taken', '/email');
  const userId = known?.userId ?? newId('usr', tx.now);
  if (known) await saveInvitedAgain(tx, userId, input.role);
  else if (!(await saveNewUser(tx, { userId, email, role: input.role, status: 'invited' }, null)))
    throw refusePerson('email_taken', '/email');
  if (!(await mayInvite(tx, userId))) throw tooManyInvitations();
  await removeLinks(tx, userId);
  await mailLink(tx, 'invitation', { userId, email }, organization.name, mailing);
  await recordAudit(tx, {
    action: 'user.invite',
    entityType: 'user',
    entityId: userId,
    after: { email, role: input.role },
  });
  return requireUser(tx, userId);
}

/** Invalidates the link that was sent before. */
export async function sendInvitationAgain(tx: Tx, userId: string, mailing: LinkMailing): Promise<StoredUser> {
  // Taken first, so that concurrent invitations of an organization are counted one after the other.
  await lockOwnOrganization(tx);
  const account = await requireAccount(tx, userId);
  if (account.status !== 'invited') throw refusePerson('not_invited', null);
  if (!(await mayInvite(tx, userId))) throw tooManyInvitations();
  await removeLinks(tx, userId);
  await mailLink(tx, 'invitation', account, account.orgName, mailing);
  await recordAudit(tx, { action: 'user.invite', entityType: 'user', entityId: userId });
  return shown(account);
}

/** Ends all access of the person immediately. Their name stays on the records of their work. */
export async function removeUser(tx: Tx, userId: string): Promise<StoredUser> {
  // Taken first, so that of two concurrent removals of the last two administrators the second sees the first.
  await lockOwnOrganization(tx);
  const account = await requireAccount(tx, userId);
  await requireOtherAdministrator(tx, account);
  await clearTotp(tx, userId);
  await removeLinks(tx, userId);
  await removeSessionsExcept(tx, userId, '');
  await saveRemoved(tx, userId);
  await onPersonRemoved(tx, { userId, email: account.email });
  await recordAudit(tx, {
    action: 'user.remove',
    entityType: 'user',
    entityId: userId,
    before: { email: account.email, role: account.role, status: account.status },
  });
  return requireUser(tx, userId);
}

/** Signs the person out everywhere; the new role applies from the next session. */
export async function changeRole(tx: Tx, userId: string, role: UserRole): Promise<StoredUser> {
  await lockOwnOrganization(tx);
  const account = await requireAccount(tx, userId);
  if (account.role === role) return shown(account);
  await requireOtherAdministrator(tx, account);
  await saveRole(tx, userId, role);
  await removeSessionsExcept(tx, userId, '');
  await recordAudit(tx, {
    action: 'user.change_role',
    entityType: 'user',
    entityId: userId,
    before: { role: account.role },
    after: { role },
  });
  return requireUser(tx, userId);
}

/** For a person who lost both the phone and the recovery codes. */
export async function resetSecondFactor(tx: Tx, userId: string): Promise<StoredUser> {
  const account = await requireAccount(tx, userId);
  if (!account.secondFactor) throw refusePerson('no_second_factor', null);
  await clearTotp(tx, userId);
  await removeSessionsExcept(tx, userId, '');
  await onSignInChanged(tx, account);
  await mailNotice(tx, 'second_factor_removed', account, null);
  await recordAudit(tx, { action: 'user.reset_second_factor', entityType: 'user', entityId: userId });
  return requireUser(tx, userId);
}

/** Locked until the transaction ends. A removed user can no longer be changed. */
async function requireAccount(tx: Tx, userId: string): Promise<Account> {
  const account = await lockAccount(tx, userId);
  if (!account) throw missing('user', 'userId');
  if (account.status === 'removed') throw refusePerson('user_removed', null);
  return account;
}

async function requireUser(tx: Tx, userId: string): Promise<StoredUser> {
  const user = await readUser(tx, userId);
  if (!user) throw missing('user', 'userId');
  return user;
}

async function requireOtherAdministrator(tx: Tx, account: Account): Promise<void> {
  if (account.role !== 'admin' || account.status !== 'active') return;
  if ((await countOtherAdministrators(tx, account.userId)) === 0)
    throw refusePerson('last_administrator', null);
}
