import { recordAudit } from '../../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { ConsoleSession, SessionState } from '../../platform/principal.js';
import { hashToken } from '../../platform/secrets/index.js';
import { saveLastOrganization } from '../account.store.js';
import { refuseSignIn } from '../people.errors.js';
import { mailNotice } from '../people-mails.js';
import { type Account, saveSignIn } from '../user.store.js';
import { saveNewSession, saveSessionChange } from './session.store.js';
import { newSessionToken } from './session-token.js';

const MINUTE_MS = 60_000;
/** The absolute lifetime of a session, regardless of use. */
const COMPLETE_MS = 12 * 60 * MINUTE_MS;
const UNFINISHED_MS = 10 * MINUTE_MS;
const USER_AGENT_MAX = 300;

/** The browser that signs in. */
export interface Visitor {
  address: string;
  userAgent: string | null;
  /** The id of the device if the person has signed in from it before. */
  device: string | null;
}

/** The result of a sign-in step. The token goes only into the cookie. */
export interface SignedIn {
  token: string;
  state: SessionState;
  account: Account;
}

/** The next step after a correct password. */
export const stateAfterPassword = (account: Account): SessionState => {
  if (account.secondFactor) return 'second_factor';
  return account.role === 'admin' ? 'enrolment' : 'complete';
};

const expiryOf = (tx: Tx, state: SessionState): Date =>
  new Date(tx.now.getTime() + (state === 'complete' ? COMPLETE_MS : UNFINISHED_MS));

/** Always creates a new session, so that an existing token in the browser cannot be fixated. */
export async function beginSession(
  tx: Tx,
  sessionId: string,
  account: Account,
  state: SessionState,
  visitor: Visitor,
  from: { secondFactorAt?: Date | null; expiresAt?: Date } = {},
): Promise<SignedIn> {
  const token = newSessionToken({ orgId: tx.orgId, sessionId });
  await saveNewSession(tx, {
    sessionId,
    userId: account.userId,
    generation: account.generation,
    secretHash: hashToken(token),
    state,
    expiresAt: from.expiresAt ?? expiryOf(tx, state),
    secondFactorAt: from.secondFactorAt ?? null,
    address: visitor.address,
    userAgent: visitor.userAgent?.slice(0, USER_AGENT_MAX) ?? null,
  });
  if (state === 'complete') await noteSignedIn(tx, sessionId, account, visitor);
  return { token, state, account };
}

/** Completes the session under a new token after the second factor was given. */
export async function completeSession(
  tx: Tx,
  session: ConsoleSession,
  account: Account,
  visitor: Visitor,
  generation = account.generation,
): Promise<SignedIn> {
  const change = { expiresAt: expiryOf(tx, 'complete'), secondFactorAt: tx.now, generation };
  const signedIn = await renewSession(tx, session, account, change);
  if (session.state !== 'complete') await noteSignedIn(tx, session.sessionId, account, visitor);
  return signedIn;
}

/**
 * Gives the session a new token, so that a copy of the old one is worthless after a sensitive change. `generation` is that
 * of the account after the change, so that the session survives it.
 */
export async function renewSession(
  tx: Tx,
  session: ConsoleSession,
  account: Account,
  { generation, ...change }: { expiresAt?: Date; secondFactorAt?: Date; generation?: number } = {},
): Promise<SignedIn> {
  const token = newSessionToken({ orgId: tx.orgId, sessionId: session.sessionId });
  const to = { secretHash: hashToken(token), state: 'complete', ...change } as const;
  // Another request ended or completed the session after this one was authenticated.
  const generations = { before: account.generation, after: generation ?? account.generation };
  if (!(await saveSessionChange(tx, session, to, generations))) throw refuseSignIn('sign_in_refused');
  return { token, state: 'complete', account };
}

async function noteSignedIn(tx: Tx, sessionId: string, account: Account, visitor: Visitor): Promise<void> {
  await saveSignIn(tx, account.userId);
  await saveLastOrganization(tx, account.email);
  if (visitor.device === null && account.lastSignInAt !== null)
    await mailNotice(tx, 'new_device', account, visitor.address);
  await recordAudit(tx, {
    action: 'session.begin',
    entityType: 'session',
    entityId: sessionId,
    after: { userId: account.userId, email: account.email, address: visitor.address },
  });
}
