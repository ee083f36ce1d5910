import { recordAudit } from '../../audit/index.js';
import { type Tx, transact } from '../../platform/database/index.js';
import { missing } from '../../platform/errors/index.js';
import type { ConsoleSession, Principal } from '../../platform/principal.js';
import { enterAccount, savePassword } from '../account.store.js';
import { refusePerson } from '../people.errors.js';
import { onSignInChanged } from '../people.hooks.js';
import { mailNotice } from '../people-mails.js';
import { type Account, lockAccount, readAccount } from '../user.store.js';
import { attemptsAt, claimAttempt, clearAttempts } from './attempts.store.js';
import { completeSession, renewSession, type SignedIn, type Visitor } from './console-session.js';
import { endElsewhere } from './end-elsewhere.js';
import { removeLinks } from './link.store.js';
import { hashNewPassword, isPasswordOf } from './password-hash.js';
import { notingRefusals } from './record-refusals.js';
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
import type { SignInContext } from './sign-in-context.js';

/** Changes that people make to their own account. */

export interface ConsoleCaller {
  principal: Principal;
  session: ConsoleSession;
  visitor: Visitor;
  requestId: string;
}

export const readOwnAccount = (context: SignInContext, at: ConsoleCaller): Promise<Account> =>
  within(context, at, async (tx) => {
    const account = await readAccount(tx, at.session.userId);
    if (!account) throw missing('account', null);
    return account;
  });

export async function verifySecondFactor(
  context: SignInContext,
  at: ConsoleCaller,
  given: GivenFactor,
): Promise<SignedIn> {
  if (at.session.state !== 'second_factor') throw refusePerson('second_factor_not_due', null);
  const attempts = attemptsAt('factor', at.principal.actor, at.visitor.device);
  await within(context, at, (tx) => claimAttempt(tx, attempts));
  return notingRefusals(context.database, refusedAt(at), () =>
    changing(context, at, async (tx, account) => {
      await requireFactor(tx, account, given, at.visitor, context.box);
      return completeSession(tx, at.session, account, at.visitor);
    }),
  );
}

/** Verifies the second factor again in a complete session, for actions that need a recent one. */
export async function stepUp(
  context: SignInContext,
  at: ConsoleCaller,
  given: GivenFactor,
): Promise<SignedIn> {
  const attempts = attemptsAt('factor', at.principal.actor, at.visitor.device);
  const { secondFactor } = await readOwnAccount(context, at);
  if (!secondFactor) throw refusePerson('no_second_factor', null);
  await within(context, at, (tx) => claimAttempt(tx, attempts));
  return changing(context, at, async (tx, account) => {
    await requireFactor(tx, account, given, at.visitor, context.box);
    await recordAudit(tx, {
      action: 'session.step_up',
      entityType: 'session',
      entityId: at.session.sessionId,
    });
    return renewSession(tx, at.session, account, { secondFactorAt: tx.now });
  });
}

/** A complete session must confirm the password; during enrolment the person has just entered it. */
export async function setUpTotp(
  context: SignInContext,
  at: ConsoleCaller,
  password?: string,
): Promise<TotpSetup> {
  if (at.session.state === 'second_factor') throw refusePerson('second_factor_not_due', null);
  if (at.session.state === 'complete') await confirmPassword(context, at, password ?? '');
  return changing(context, at, (tx, account) => beginTotp(tx, account, context.box));
}

export async function finishTotp(
  context: SignInContext,
  at: ConsoleCaller,
  code: string,
): Promise<SignedIn & { recoveryCodes: string[] }> {
  if (at.session.state === 'second_factor') throw refusePerson('second_factor_not_due', null);
  return changingSignIn(context, at, async (tx, account) => {
    const { recoveryCodes, generation } = await confirmTotp(tx, account, code, context.box, at.visitor);
    const secured = { ...account, secondFactor: true };
    const signedIn =
      at.session.state === 'complete'
        ? await renewSession(tx, at.session, secured, { secondFactorAt: tx.now, generation })
        : await completeSession(tx, at.session, secured, at.visitor, generation);
    return [{ ...signedIn, recoveryCodes }, generation];
  });
}

export async function dropTotp(
  context: SignInContext,
  at: ConsoleCaller,
  password: string,
): Promise<SignedIn> {
  await confirmPassword(context, at, password);
  return changingSignIn(context, at, async (tx, account) => {
    const generation = await removeTotp(tx, account, at.visitor);
    return [
      await renewSession(tx, at.session, { ...account, secondFactor: false }, { generation }),
      generation,
    ];
  });
}

export async function replaceOwnRecoveryCodes(
  context: SignInContext,
  at: ConsoleCaller,
  password: string,
): Promise<string[]> {
  await confirmPassword(context, at, password);
  return changing(context, at, (tx, account) => {
    if (!account.secondFactor) throw refusePerson('no_second_factor', null);
    return makeRecoveryCodes(tx, account);
  });
}

export async function changePassword(
  context: SignInContext,
  at: ConsoleCaller,
  passwords: { currentPassword: string; newPassword: string },
): Promise<SignedIn> {
  const { email, orgName } = await confirmPassword(
    context,
    at,
    passwords.currentPassword,
    '/currentPassword',
  );
  const about = { email, organization: orgName };
  const hash = await hashNewPassword(passwords.newPassword, about, at.session.userId, '/newPassword');
  return changingSignIn(context, at, async (tx, account) => {
    const generation = await savePassword(tx, account.email, hash);
    await mailNotice(tx, 'password_changed', account, at.visitor.address);
    await recordAudit(tx, { action: 'user.change_password', entityType: 'user', entityId: account.userId });
    return [await renewSession(tx, at.session, account, { generation }), generation];
  });
}

/** An unattended session must not be enough for lasting changes. Guesses are throttled. */
async function confirmPassword(
  context: SignInContext,
  at: ConsoleCaller,
  password: string,
  path = '/password',
): Promise<Account> {
  const attempts = attemptsAt('confirmation', at.principal.actor, null);
  await within(context, at, (tx) => claimAttempt(tx, attempts));
  const account = await readOwnAccount(context, at);
  await notingRefusals(context.database, refusedAt(at), async () => {
    const isRight = await isPasswordOf(account.passwordHash, password, at.session.userId);
    if (!isRight) throw refusePerson('password_wrong', path);
  });
  await within(context, at, (tx) => clearAttempts(tx, attempts));
  return account;
}

const refusedAt = ({ principal, session, visitor, requestId }: ConsoleCaller) => ({
  orgId: principal.orgId,
  userId: session.userId,
  email: principal.actor,
  address: visitor.address,
  requestId,
});

const within = <T>(context: SignInContext, at: ConsoleCaller, work: (tx: Tx) => Promise<T>): Promise<T> =>
  transact(
    context.database,
    at.principal,
    async (tx) => {
      await enterAccount(tx, at.principal.actor);
      return work(tx);
    },
    { requestId: at.requestId },
  );

const changing = <T>(
  context: SignInContext,
  at: ConsoleCaller,
  work: (tx: Tx, account: Account) => Promise<T>,
): Promise<T> =>
  within(context, at, async (tx) => {
    const account = await lockAccount(tx, at.session.userId);
    // The user was removed after this request was authenticated.
    if (account?.status !== 'active') throw missing('account', null);
    return work(tx, account);
  });

/**
 * Changes the password or the second factor, and ends every other session, link and grant in all organizations, so that the
 * old credentials give no further access. `work` returns its result and the new generation of the account.
 */
async function changingSignIn<T>(
  context: SignInContext,
  at: ConsoleCaller,
  work: (tx: Tx, account: Account) => Promise<[T, number]>,
): Promise<T> {
  const [result, generation] = await changing(context, at, async (tx, account) => {
    const changed = await work(tx, account);
    await removeLinks(tx, account.userId);
    await removeSessionsExcept(tx, account.userId, at.session.sessionId);
    await onSignInChanged(tx, account);
    return changed;
  });
  const { orgId, actor: email } = at.principal;
  await endElsewhere(context.database, { orgId, email, generation, requestId: at.requestId });
  return result;
}
