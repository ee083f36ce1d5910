import { recordAudit } from '../../audit/index.js';
import { transact } from '../../platform/database/index.js';
import { missing } from '../../platform/errors/index.js';
import type { SessionState } from '../../platform/principal.js';
import { isUsable, listMemberships, type Membership } from '../membership.store.js';
import { refuseSignIn } from '../people.errors.js';
import { type Account, lockAccount } from '../user.store.js';
import { beginSession, type SignedIn, stateAfterPassword } from './console-session.js';
import type { ConsoleCaller } from './own-account.js';
import { removeSession } from './session.store.js';
import { newSessionId } from './session-token.js';
import { type SignInContext, transactAs } from './sign-in-context.js';

/** The organizations that the person may work in. */
export const listOwnOrganizations = async (
  { database }: SignInContext,
  { principal }: ConsoleCaller,
): Promise<Membership[]> => {
  const all = await listMemberships(database.reader, principal.actor);
  return all.filter(isUsable).sort((a, b) => a.orgName.localeCompare(b.orgName, 'en'));
};

/**
 * Switches to another organization of the person: begins a session there that expires no later than this one, and ends this
 * one. An unknown organization and one without an active membership get the same error.
 */
export async function switchOrganization(
  context: SignInContext,
  at: ConsoleCaller,
  code: string,
): Promise<SignedIn> {
  const { database } = context;
  const target = (await listOwnOrganizations(context, at)).find(({ orgCode }) => orgCode === code);
  if (!target) throw missing('organization', 'organization');
  const { actor: email } = at.principal;
  const sessionId = newSessionId(database.clock.now());
  const there = { orgId: target.orgId, email, sessionId, requestId: at.requestId };
  const signedIn = await transactAs(database, there, async (tx) => {
    const account = await lockAccount(tx, target.userId);
    if (account?.status !== 'active' || account.orgStatus !== 'active')
      throw missing('organization', 'organization');
    if (account.generation !== at.session.generation) throw refuseSignIn('sign_in_refused');
    const { secondFactorAt, expiresAt } = at.session;
    const state = stateAfterSwitch(account, secondFactorAt);
    // The person stays on the same device.
    const known = { ...at.visitor, device: at.visitor.device ?? 'switch' };
    return beginSession(tx, sessionId, account, state, known, {
      secondFactorAt,
      ...(state === 'complete' ? { expiresAt } : {}),
    });
  });
  const isEnded = await transact(
    database,
    at.principal,
    async (tx) => {
      if (!(await removeSession(tx, at.session.userId, at.session.sessionId))) return false;
      await recordAudit(tx, {
        action: 'session.end',
        entityType: 'session',
        entityId: at.session.sessionId,
      });
      return true;
    },
    { requestId: at.requestId },
  );
  if (isEnded) return signedIn;
  // The session was ended meanwhile, so the new one, whose token nobody has, ends too.
  await transact(database, { ...at.principal, orgId: target.orgId }, (tx) =>
    removeSession(tx, target.userId, sessionId),
  );
  throw refuseSignIn('sign_in_refused');
}

function stateAfterSwitch(account: Account, secondFactorAt: Date | null): SessionState {
  const isProved = account.secondFactor && secondFactorAt !== null;
  return isProved ? 'complete' : stateAfterPassword(account);
}
