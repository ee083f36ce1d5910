import { addressGroup } from '../../access/index.js';
import { recordAudit } from '../../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import { saveName, saveNewAccount, savePassword } from '../account.store.js';
import { saveActiveMembership } from '../membership.store.js';
import { refusePerson } from '../people.errors.js';
import { onSignInChanged } from '../people.hooks.js';
import { mailNotice } from '../people-mails.js';
import { type Account, saveActive } from '../user.store.js';
import { attemptsAt, clearAttempts } from './attempts.store.js';
import { beginSession, type SignedIn, stateAfterPassword, type Visitor } from './console-session.js';
import { endElsewhere } from './end-elsewhere.js';
import { clearTotp } from './factor.store.js';
import { removeLinks } from './link.store.js';
import { organizationNamedBy } from './link-token.js';
import { readLink, requirePasswordOf, takeOwnLink } from './mailed-links.js';
import { hashNewPassword } from './password-hash.js';
import { removeSessionsExcept } from './session.store.js';
import { newSessionId } from './session-token.js';
import { type SignInContext, transactAs } from './sign-in-context.js';

/** Steps of people who follow the links mailed to them. */

interface Followed {
  token: string;
  password: string;
}

interface Accepted extends Followed {
  /** For an account without a name; later changes need a complete session with the second factor. */
  name?: string;
}

/** Whether the person has a password already, chosen in any organization. */
export const hasOwnPassword = ({ passwordHash }: Account): boolean => passwordHash !== null;

/**
 * Makes the person a member. With an account they enter its password, without one they choose a password. Signs them in as
 * far as a password allows.
 */
export async function acceptInvitation(
  context: SignInContext,
  given: Accepted,
  visitor: Visitor,
  requestId: string,
): Promise<SignedIn> {
  const account = await readLink(context, 'invitation', given.token, requestId);
  const hash = hasOwnPassword(account) ? null : await hashChosen(account, given, visitor);
  if (hash === null)
    await requirePasswordOf(context, account, given, { address: visitor.address, requestId });
  const accepted = await following(context, account, given, requestId, async (tx, sessionId) => {
    const isNew = hash !== null && account.generation === 0;
    if (isNew && !(await saveNewAccount(tx, account.email, hash))) return null;
    const current = await takeOwnLink(tx, 'invitation', given.token);
    if (!isNew && current.passwordHash !== account.passwordHash)
      throw refusePerson('password_wrong', '/password');
    const generation =
      hash !== null && !isNew ? await savePassword(tx, current.email, hash) : current.generation;
    const name = current.name ?? given.name ?? null;
    if (name !== current.name) await saveName(tx, current.email, name);
    await saveActive(tx, current.userId);
    await saveActiveMembership(tx, current.email, current.userId);
    await removeLinks(tx, current.userId);
    await recordAudit(tx, {
      action: 'user.accept_invitation',
      entityType: 'user',
      entityId: current.userId,
      ...(name === current.name ? {} : { after: { name } }),
    });
    return signInByLink(tx, sessionId, { ...current, name, status: 'active', generation }, visitor);
  });
  // Null: the person accepted another invitation at the same time, and has an account now.
  return accepted ?? acceptInvitation(context, given, visitor, requestId);
}

/** Sets the password, ends all sessions everywhere, and signs the person in as far as a password allows. */
export async function completeReset(
  context: SignInContext,
  given: Followed,
  visitor: Visitor,
  requestId: string,
): Promise<SignedIn> {
  const account = await readLink(context, 'reset', given.token, requestId);
  const hash = await hashChosen(account, given, visitor);
  const signedIn = await following(context, account, given, requestId, async (tx, sessionId) => {
    const current = await takeOwnLink(tx, 'reset', given.token);
    const generation = await savePassword(tx, current.email, hash);
    await endOwnAccess(tx, current);
    await recordAudit(tx, { action: 'user.reset_password', entityType: 'user', entityId: current.userId });
    await mailNotice(tx, 'password_changed', current, visitor.address);
    return signInByLink(tx, sessionId, { ...current, generation }, visitor);
  });
  await endEverywhereElse(context, given, signedIn.account, requestId);
  return signedIn;
}

/** Removes a lost second factor. The person must sign in again everywhere. */
export async function confirmFactorReset(
  context: SignInContext,
  given: Followed,
  visitor: Visitor,
  requestId: string,
): Promise<void> {
  const account = await readLink(context, 'factor', given.token, requestId);
  await requirePasswordOf(context, account, given, { address: visitor.address, requestId });
  const changed = await following(context, account, given, requestId, async (tx) => {
    const current = await takeOwnLink(tx, 'factor', given.token);
    const generation = await clearTotp(tx, current.email);
    await endOwnAccess(tx, current);
    await mailNotice(tx, 'second_factor_removed', current, visitor.address);
    await recordAudit(tx, {
      action: 'user.reset_second_factor',
      entityType: 'user',
      entityId: current.userId,
    });
    return { ...current, generation };
  });
  await endEverywhereElse(context, given, changed, requestId);
}

const hashChosen = (account: Account, { password }: Followed, { address }: Visitor): Promise<string> =>
  hashNewPassword(password, { email: account.email, organization: account.orgName }, addressGroup(address));

const following = <T>(
  { database }: SignInContext,
  { email }: Account,
  { token }: Followed,
  requestId: string,
  work: (tx: Tx, sessionId: string) => Promise<T>,
): Promise<T> => {
  const sessionId = newSessionId(database.clock.now());
  const who = { orgId: organizationNamedBy(token), email, sessionId, requestId };
  return transactAs(database, who, (tx) => work(tx, sessionId));
};

async function endOwnAccess(tx: Tx, account: Account): Promise<void> {
  await removeLinks(tx, account.userId);
  await removeSessionsExcept(tx, account.userId, '');
  await onSignInChanged(tx, account);
}

const endEverywhereElse = (
  { database }: SignInContext,
  { token }: Followed,
  { email, generation }: Account,
  requestId: string,
): Promise<void> =>
  endElsewhere(database, { orgId: organizationNamedBy(token) ?? '', email, generation, requestId });

async function signInByLink(
  tx: Tx,
  sessionId: string,
  account: Account,
  visitor: Visitor,
): Promise<SignedIn> {
  await clearAttempts(tx, attemptsAt('password', account.email, null));
  // The person has just read their mail on this device, so a notice about a new device would be redundant.
  const known = { ...visitor, device: visitor.device ?? 'mail' };
  return beginSession(tx, sessionId, account, stateAfterPassword(account), known);
}
