import { addressGroup, requireFewFailures } from '../../access/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { SecretBox } from '../../platform/secrets/index.js';
import { saveRehashed } from '../account.store.js';
import { isUsable, listMemberships } from '../membership.store.js';
import { refuseSignIn } from '../people.errors.js';
import { type Account, lockAccount, readAccountByEmail } from '../user.store.js';
import { attemptsAt, claimAttempt, clearAttempts } from './attempts.store.js';
import { beginSession, type SignedIn, stateAfterPassword, type Visitor } from './console-session.js';
import { isOutdated, isPasswordOf, rehashPassword } from './password-hash.js';
import { notingRefusals } from './record-refusals.js';
import { type GivenFactor, takeFactor } from './second-factor.js';
import { newSessionId } from './session-token.js';
import { type SignInContext, transactAs } from './sign-in-context.js';

export interface Credentials {
  email: string;
  password: string;
  code?: string | undefined;
  /** The code of one of the person's organizations; if omitted, the one used last. */
  organization?: string | undefined;
}

/**
 * An unknown account, one that may not sign in and a wrong password get the same error, and up to the verification of the
 * password the same work is done in the same order.
 */
export async function signIn(
  { database, box, limiter }: SignInContext,
  given: Credentials,
  visitor: Visitor,
  requestId: string,
): Promise<SignedIn> {
  // Checked before any work, except for people who have signed in on this device before.
  if (visitor.device === null) await requireFewFailures(limiter, visitor.address);
  const email = given.email.toLowerCase();
  const memberships = await listMemberships(database.reader, email);
  const asked = memberships.find(
    (each) => isUsable(each) && (given.organization ?? each.orgCode) === each.orgCode,
  );
  // A refusal is recorded in an organization of the person, if there is any.
  const orgId = (asked ?? memberships[0])?.orgId ?? null;
  const sessionId = newSessionId(database.clock.now());
  const who = { orgId, email, sessionId, requestId };
  const attempts = attemptsAt('password', email, visitor.device);
  const caller = addressGroup(visitor.address);
  const account = await transactAs(database, who, async (tx) => {
    await claimAttempt(tx, attempts);
    return readAccountByEmail(tx, email);
  });
  const refused = { ...who, userId: account?.userId ?? null, address: visitor.address };
  return notingRefusals(database, refused, async () => {
    const right = await isPasswordOf(account?.passwordHash ?? null, given.password, caller);
    if (!account || !right) throw refuseSignIn('sign_in_refused');
    const factor = account.secondFactor && given.code !== undefined ? { code: given.code } : null;
    if (factor)
      await transactAs(database, who, (tx) => claimAttempt(tx, attemptsAt('factor', email, visitor.device)));
    const renewed = isOutdated(account.passwordHash ?? '')
      ? await rehashPassword(given.password, caller)
      : null;
    return transactAs(database, who, async (tx) => {
      const current = await lockAccount(tx, account.userId);
      // Checked under the lock: the password may have changed, or the user been removed, during the comparison.
      if (!asked || !current || current.passwordHash !== account.passwordHash || !maySignIn(current))
        throw refuseSignIn('sign_in_refused');
      await clearAttempts(tx, attempts);
      if (renewed) await saveRehashed(tx, email, renewed);
      if (factor) await requireFactor(tx, current, factor, visitor, box);
      const state = factor ? 'complete' : stateAfterPassword(current);
      return beginSession(tx, sessionId, current, state, visitor, factor ? { secondFactorAt: tx.now } : {});
    });
  });
}

const maySignIn = (account: Account): boolean =>
  account.status === 'active' && account.orgStatus === 'active';

/** Throws for a wrong code. The attempt is already counted. */
export async function requireFactor(
  tx: Tx,
  account: Account,
  given: GivenFactor,
  visitor: Visitor,
  box: SecretBox,
): Promise<void> {
  if (!(await takeFactor(tx, account, given, box, visitor))) throw refuseSignIn('code_refused');
  await clearAttempts(tx, attemptsAt('factor', account.email, visitor.device));
}
