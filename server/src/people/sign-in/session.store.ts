import { calendarColumns, joinOrganization, type OrganizationStatus } from '../../organizations/index.js';
import { batchStatement, type Pool, queryBatch, statement, type Tx } from '../../platform/database/index.js';
import type { Calendar, SessionState } from '../../platform/principal.js';
import { joinAccountOf, lockAccountRow, readGenerations, withinAccount } from '../account.store.js';
import type { UserRole } from '../user.js';
import { joinUser, shareLockActivePerson } from '../user.store.js';
import type { SessionName } from './session-token.js';

export interface SessionForLogin extends SessionName, Calendar {
  userId: string;
  secretHash: Buffer;
  state: SessionState;
  lastSeenAt: Date;
  expiresAt: Date;
  secondFactorAt: Date | null;
  email: string;
  role: UserRole;
  userStatus: 'invited' | 'active' | 'removed';
  /** The account had this when the session began, and has the other now: a change of password or factor ends the session. */
  generation: number;
  currentGeneration: number;
  orgStatus: OrganizationStatus;
}

const sessionsForLogin = batchStatement(
  2,
  ({ org, joinRow, isDistributed }) => `
  select s.org_id as "orgId", s.session_id as "sessionId", s.user_id as "userId", s.secret_hash as "secretHash", s.state,
    s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt", s.second_factor_at as "secondFactorAt", u.email, u.role, u.status as "userStatus",
    s.generation, ${isDistributed ? 'null' : 'a.generation'} as "currentGeneration", o.status as "orgStatus", ${calendarColumns}
  from unnest($1::text[], $2::text[]) as q(org_id, session_id)
  ${joinRow('sessions', 's', `s.org_id = ${org('q.org_id')} and s.session_id = q.session_id`)}
  ${joinUser('s', org('s.org_id'))}
  ${isDistributed ? '' : joinAccountOf('u')}
  ${joinOrganization(org('s.org_id'))}`,
);

export async function readSessions(
  reader: Pool,
  names: readonly SessionName[],
): Promise<(SessionForLogin | null)[]> {
  const found = await queryBatch<SessionForLogin, SessionName>(reader, sessionsForLogin, names, (own) => [
    own.map((name) => name.orgId),
    own.map((name) => name.sessionId),
  ]);
  const rows = reader.isDistributed ? await withGenerations(reader, found) : found;
  const byName = new Map(rows.map((row) => [`${row.orgId} ${row.sessionId}`, row]));
  return names.map((name) => byName.get(`${name.orgId} ${name.sessionId}`) ?? null);
}

/** Accounts are stored on another node than the data of an organization. */
async function withGenerations(
  reader: Pool,
  sessions: readonly SessionForLogin[],
): Promise<SessionForLogin[]> {
  const generations = await readGenerations(
    reader,
    sessions.map(({ email }) => email),
  );
  return sessions.map((session) => ({
    ...session,
    currentGeneration: generations.get(session.email) ?? NO_GENERATION,
  }));
}
/** Without an account, no session is valid. */
const NO_GENERATION = -1;

export interface NewSession {
  sessionId: string;
  userId: string;
  generation: number;
  secretHash: Buffer;
  state: SessionState;
  expiresAt: Date;
  secondFactorAt: Date | null;
  address: string;
  userAgent: string | null;
}

export interface OwnSession {
  sessionId: string;
  createdAt: Date;
  lastSeenAt: Date;
  address: string;
  userAgent: string | null;
}

const insert = statement(`
  insert into sessions (org_id, session_id, user_id, secret_hash, state, created_at, last_seen_at, expires_at, address,
    user_agent, second_factor_at, generation)
  values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10, $11)`);
// Conditional on the state, so that only one of two concurrent requests completes the session.
const change = statement(`
  update sessions set secret_hash = $5, state = $6, last_seen_at = $7, expires_at = coalesce($8, expires_at),
    second_factor_at = coalesce($9, second_factor_at), generation = $11
  where org_id = $1 and session_id = $2 and user_id = $3 and state = $4 and generation = $10 returning session_id`);
const own = statement(`
  select session_id as "sessionId", created_at as "createdAt", last_seen_at as "lastSeenAt", address,
    user_agent as "userAgent"
  from sessions where org_id = $1 and user_id = $2 and state = 'complete' and expires_at > $3 and last_seen_at > $4
  order by created_at desc, session_id desc`);
const endOne = statement(`
  delete from sessions where org_id = $1 and user_id = $2 and session_id = $3 returning session_id`);
const endOthers = statement(`
  delete from sessions where org_id = $1 and user_id = $2 and session_id <> $3 returning session_id`);
const endEarlier = statement('delete from sessions where org_id = $1 and user_id = $2 and generation < $3');

export async function saveNewSession(tx: Tx, session: NewSession): Promise<void> {
  const { sessionId, userId, secretHash, state, expiresAt, address, userAgent, secondFactorAt, generation } =
    session;
  const values = [
    sessionId,
    userId,
    secretHash,
    state,
    tx.now,
    expiresAt,
    address,
    userAgent,
    secondFactorAt,
    generation,
  ];
  tx.send(insert, [tx.orgId, ...values]);
}

/**
 * False if the session has ended or is in another state. Omitted times stay unchanged. `generation` is that of the account
 * before and after the caller's change.
 */
export async function saveSessionChange(
  tx: Tx,
  session: { sessionId: string; userId: string; state: SessionState },
  to: { secretHash: Buffer; state: SessionState; expiresAt?: Date; secondFactorAt?: Date },
  generation: { before: number; after: number },
): Promise<boolean> {
  const from = [session.sessionId, session.userId, session.state];
  const times = [tx.now, to.expiresAt ?? null, to.secondFactorAt ?? null];
  const generations = [generation.before, generation.after];
  const rows = await tx.query(change, [tx.orgId, ...from, to.secretHash, to.state, ...times, ...generations]);
  return rows.length > 0;
}

const completeSession = statement(`
  select 1 from sessions
  where org_id = $1 and session_id = $2 and user_id = $3 and state = 'complete' and generation = $4`);

/**
 * The generation of the account if the session is still valid, or null. A change that would end it waits for this
 * transaction. The person is locked first: a statement that waits for the lock would read the session from before the wait.
 */
export async function shareLockSession(
  tx: Tx,
  email: string,
  { sessionId, userId }: { sessionId: string; userId: string },
): Promise<number | null> {
  if (!(await shareLockActivePerson(tx, email))) return null;
  const account = await withinAccount(tx, email, () => lockAccountRow(tx, email));
  if (!account) return null;
  const found = await tx.query(completeSession, [tx.orgId, sessionId, userId, account.generation]);
  return found.length > 0 ? account.generation : null;
}

export async function listOwnSessions(tx: Tx, userId: string, idleSince: Date): Promise<OwnSession[]> {
  return tx.query<OwnSession>(own, [tx.orgId, userId, tx.now, idleSince]);
}

/** False when the person has no such session. */
export async function removeSession(tx: Tx, userId: string, sessionId: string): Promise<boolean> {
  return (await tx.query(endOne, [tx.orgId, userId, sessionId])).length > 0;
}

/** Ends all sessions of a person except one; `''` ends all of them. */
export async function removeSessionsExcept(tx: Tx, userId: string, sessionId: string): Promise<number> {
  return (await tx.query(endOthers, [tx.orgId, userId, sessionId])).length;
}

/** Ends the sessions that began before the account changed. */
export async function removeEarlierSessions(tx: Tx, userId: string, generation: number): Promise<void> {
  tx.send(endEarlier, [tx.orgId, userId, generation]);
}

const noteUse = batchStatement(
  3,
  ({ org }) => `
  update sessions s set last_seen_at = u.at
  from unnest($1::text[], $2::text[], $3::timestamptz[]) as u(org_id, session_id, at)
  where s.org_id = ${org('u.org_id')} and s.session_id = u.session_id and s.last_seen_at < u.at`,
);

export async function noteSessionUse(
  worker: Pool,
  uses: readonly { orgId: string; id: string; at: Date }[],
): Promise<void> {
  await queryBatch(worker, noteUse, uses, (own) => [
    own.map((u) => u.orgId),
    own.map((u) => u.id),
    own.map((u) => u.at),
  ]);
}
