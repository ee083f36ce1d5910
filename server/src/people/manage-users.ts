import { recordAudit } from '../audit/index.js';
import { lockOwnOrganization } from '../organizations/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { newId } from '../platform/ids/index.js';
import { lockAccountRow, removeUnusedAccount, withinAccount } from './account.store.js';
import { removeMembership, saveInvitedMembership } from './membership.store.js';
import { refusePerson, tooManyInvitations } from './people.errors.js';
import { onPersonRemoved } from './people.hooks.js';
import { type LinkMailing, mailLink, mayInvite } from './people-mails.js';
import { countLinksSince, removeLinks } from './sign-in/link.store.js';
import { removeSessionsExcept } from './sign-in/session.store.js';
import { isEmail, type UserRole } from './user.js';
import {
  countOtherAdministrators,
  lockMember,
  type Member,
  readMember,
  readMemberByEmail,
  type StoredUser,
  saveNewUser,
  saveRemoved,
  saveRole,
  saveUserAgain,
} from './user.store.js';

const DAY_MS = 86_400_000;

/** A user who was sent a link. */
export interface LinkedUser extends StoredUser {
  /** The link to hand over; null if it is sent by e-mail. */
  link: string | null;
}

const FACTOR_LINKS_PER_DAY = 3;

/**
 * A removed or invited person is invited again under the same user id. Nothing depends on whether the person has an account
 * or belongs to another organization.
 */
export async function inviteUser(
  tx: Tx,
  input: { email: string; role: UserRole },
  mailing: LinkMailing,
): Promise<LinkedUser> {
  const email = input.email.toLowerCase();
  if (!isEmail(email)) throw refusePerson('bad_email', '/email');
  const organization = await lockOwnOrganization(tx);
  const known = await readMemberByEmail(tx, email);
  if (known?.status === 'active') throw refusePerson('email_taken', '/email');
  const userId = known?.userId ?? newId('usr', tx.now);
  const invited = { role: input.role, status: 'invited' } as const;
  if (known) await saveUserAgain(tx, userId, invited);
  else await saveNewUser(tx, { userId, email, ...invited });
  await saveInvitedMembership(tx, email, userId);
  if (!(await mayInvite(tx, userId))) throw tooManyInvitations();
  await removeLinks(tx, userId);
  const link = await mailLink(tx, 'invitation', { userId, email }, organization.name, mailing);
  await recordAudit(tx, {
    action: 'user.invite',
    entityType: 'user',
    entityId: userId,
    after: { email, role: input.role, ...(link === null ? {} : { linkHandedOver: true }) },
  });
  return { ...(await requireUser(tx, userId)), link };
}

/** Invalidates the link that was sent before. */
export async function sendInvitationAgain(tx: Tx, userId: string, mailing: LinkMailing): Promise<LinkedUser> {
  // Locked first, so that concurrent invitations of an organization are counted one after the other.
  await lockOwnOrganization(tx);
  const account = await requireMember(tx, userId);
  if (account.status !== 'invited') throw refusePerson('not_invited', null);
  if (!(await mayInvite(tx, userId))) throw tooManyInvitations();
  await removeLinks(tx, userId);
  const link = await mailLink(tx, 'invitation', account, account.orgName, mailing);
  await recordAudit(tx, {
    action: 'user.invite',
    entityType: 'user',
    entityId: userId,
    ...(link === null ? {} : { after: { linkHandedOver: true } }),
  });
  return { ...account, link };
}

/**
 * Ends the membership and all access of the person to this organization immediately. Their name stays on the records of
 * their work; their account ends with their last membership.
 */
export async function removeUser(tx: Tx, userId: string): Promise<StoredUser> {
  // Locked first, so that of two concurrent removals of the last two administrators the second sees the first.
  await lockOwnOrganization(tx);
  const account = await requireMember(tx, userId);
  await requireOtherAdministrator(tx, account);
  await removeLinks(tx, userId);
  await removeSessionsExcept(tx, userId, '');
  await saveRemoved(tx, userId);
  await removeMembership(tx, account.email);
  if (account.status === 'active')
    await withinAccount(tx, account.email, () => removeUnusedAccount(tx, account.email));
  await onPersonRemoved(tx, { userId, email: account.email });
  await recordAudit(tx, {
    action: 'user.remove',
    entityType: 'user',
    entityId: userId,
    before: { email: account.email, role: account.role, status: account.status },
  });
  return requireUser(tx, userId);
}

/** Signs the person out of this organization; the new role applies from the next session. */
export async function changeRole(tx: Tx, userId: string, role: UserRole): Promise<StoredUser> {
  await lockOwnOrganization(tx);
  const account = await requireMember(tx, userId);
  if (account.role === role) return account;
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

/**
 * For a person who lost both the phone and the recovery codes. The factor is their own: they remove it themselves, with a
 * mailed link and their password.
 */
export async function askFactorReset(tx: Tx, userId: string, mailing: LinkMailing): Promise<LinkedUser> {
  const member = await requireMember(tx, userId);
  if (!member.secondFactor) throw refusePerson('no_second_factor', null);
  await removeSessionsExcept(tx, userId, '');
  const account = await withinAccount(tx, member.email, () => lockAccountRow(tx, member.email));
  const sent = await countLinksSince(tx, userId, 'factor', new Date(tx.now.getTime() - DAY_MS));
  // Links mailed earlier still work.
  const to = { ...member, generation: account?.generation ?? 0 };
  const link = sent < FACTOR_LINKS_PER_DAY ? await mailLink(tx, 'factor', to, member.orgName, mailing) : null;
  await recordAudit(tx, { action: 'user.ask_second_factor_reset', entityType: 'user', entityId: userId });
  return { ...member, link };
}

/** Locked until the transaction ends. A removed user can no longer be changed. */
async function requireMember(tx: Tx, userId: string): Promise<Member> {
  const account = await lockMember(tx, userId);
  if (!account) throw missing('user', 'userId');
  if (account.status === 'removed') throw refusePerson('user_removed', null);
  return account;
}

async function requireUser(tx: Tx, userId: string): Promise<StoredUser> {
  const user = await readMember(tx, userId);
  if (!user) throw missing('user', 'userId');
  return user;
}

async function requireOtherAdministrator(tx: Tx, account: Member): Promise<void> {
  if (account.role !== 'admin' || account.status !== 'active') return;
  if ((await countOtherAdministrators(tx, account.userId)) === 0)
    throw refusePerson('last_administrator', null);
}
