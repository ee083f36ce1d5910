import { recordAudit } from '../../audit/index.js';
import { type Tx, transact } from '../../platform/database/index.js';
import { missing } from '../../platform/errors/index.js';
import type { ConsoleSession, Principal } from '../../platform/principal.js';
import { refuseAccess } from '../access.errors.js';
import { attemptsAt, claimAttempt, clearAttempts } from './attempts.store.js';
import { completeSession, renewSession, type SignedIn, type Visitor } from './console-session.js';
import type { Door } from './door.js';
import { removeLinks } from './link.store.js';
import { hashNewPassword, isPasswordOf } from './password-hash.js';
import { mailNotice } from './people-mails.js';
import {
  beginTotp,
  confirmTotp,
  type GivenFactor,
  makeRecoveryCodes,
  removeTotp,
  type TotpSetup,
} from './second-factor.js';
import { removeSessionsExcept } from './session.store.js';
import { requireFactor } from './sign-in.js';
import { type Account, lockAccount, readAccount, savePassword } from './user.store.js';

/** What people do with their own account. */

export interface AtConsole {
  principal: Principal;
  session: ConsoleSession;
  visitor: Visitor;
  requestId: string;
}

export const readOwnAccount = (door: Door, at: AtConsole): Promise<Account> =>
  within(door, at, async (tx) => {
    const account = await readAccount(tx, at.session.userId);
    if (!account) throw missing('account', null);
    return account;
  });

export async function giveSecondFactor(door: Door, at: AtConsole, given: GivenFactor): Promise<SignedIn> {
  if (at.session.state !== 'second_factor') throw refuseAccess('second_factor_not_due', null);
  const attempts = attemptsAt('factor', at.principal.actor, at.visitor.device);
  await within(door, at, (tx) => claimAttempt(tx, attempts));
  return changing(door, at, async (tx, account) => {
    await requireFactor(tx, account, given, at.visitor, door.box);
    return completeSession(tx, at.session, account, at.visitor);
  });
}

/** Whoever has a complete session gives the password again; whoever must set one up just gave it. */
export async function setUpTotp(door: Door, at: AtConsole, password?: string): Promise<TotpSetup> {
  if (at.session.state === 'second_factor') throw refuseAccess('second_factor_not_due', null);
  if (at.session.state === 'complete') await confirmPassword(door, at, password ?? '');
  return changing(door, at, (tx, account) => beginTotp(tx, account, door.box));
}

export async function finishTotp(
  door: Door,
  at: AtConsole,
  code: string,
): Promise<SignedIn & { recoveryCodes: string[] }> {
  if (at.session.state === 'second_factor') throw refuseAccess('second_factor_not_due', null);
  return changing(door, at, async (tx, account) => {
    const recoveryCodes = await confirmTotp(tx, account, code, door.box, at.visitor);
    const secured = { ...account, secondFactor: true };
    const signedIn =
      at.session.state === 'complete'
        ? await renewSession(tx, at.session, secured)
        : await completeSession(tx, at.session, secured, at.visitor);
    return { ...signedIn, recoveryCodes };
  });
}

export async function dropTotp(door: Door, at: AtConsole, password: string): Promise<SignedIn> {
  await confirmPassword(door, at, password);
  return changing(door, at, async (tx, account) => {
    await removeTotp(tx, account, at.visitor);
    return renewSession(tx, at.session, { ...account, secondFactor: false });
  });
}

export async function newRecoveryCodesFor(door: Door, at: AtConsole, password: string): Promise<string[]> {
  await confirmPassword(door, at, password);
  return changing(door, at, (tx, account) => {
    if (!account.secondFactor) throw refuseAccess('no_second_factor', null);
    return makeRecoveryCodes(tx, account);
  });
}

/** Ends every other session: whoever has the old password is out. */
export async function changePassword(
  door: Door,
  at: AtConsole,
  passwords: { currentPassword: string; newPassword: string },
): Promise<SignedIn> {
  const { email, orgName } = await confirmPassword(door, at, passwords.currentPassword, '/currentPassword');
  const about = { email, organization: orgName };
  const hash = await hashNewPassword(passwords.newPassword, about, '/newPassword');
  return changing(door, at, async (tx, account) => {
    await savePassword(tx, account.userId, hash);
    await removeLinks(tx, account.userId);
    await removeSessionsExcept(tx, account.userId, at.session.sessionId);
    await mailNotice(tx, 'password_changed', account, at.visitor.address);
    await recordAudit(tx, { action: 'user.change_password', entityType: 'user', entityId: account.userId });
    return renewSession(tx, at.session, account);
  });
}

/** A session left open at a desk is not enough for what would outlast it. Guesses are slowed down. */
async function confirmPassword(
  door: Door,
  at: AtConsole,
  password: string,
  path = '/password',
): Promise<Account> {
  const attempts = attemptsAt('confirmation', at.session.userId, null);
  await within(door, at, (tx) => claimAttempt(tx, attempts));
  const account = await readOwnAccount(door, at);
  if (!(await isPasswordOf(account.passwordHash, password))) throw refuseAccess('password_wrong', path);
  await within(door, at, (tx) => clearAttempts(tx, attempts));
  return account;
}

const within = <T>(door: Door, at: AtConsole, work: (tx: Tx) => Promise<T>): Promise<T> =>
  transact(door.database, at.principal, work, { requestId: at.requestId });

const changing = <T>(door: Door, at: AtConsole, work: (tx: Tx, account: Account) => Promise<T>): Promise<T> =>
  within(door, at, async (tx) => {
    const account = await lockAccount(tx, at.session.userId);
    // Removed since this request was let in.
    if (account?.status !== 'active') throw missing('account', null);
    return work(tx, account);
  });
