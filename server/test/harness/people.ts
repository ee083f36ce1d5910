import { csrfTokenOf, sessionCookie } from '../../src/access/index.js';
import { createUser } from '../../src/people/index.js';
import { newSessionId, newSessionToken } from '../../src/people/sign-in/session-token.js';
import { transact } from '../../src/platform/database/index.js';
import { type SessionState, systemPrincipal } from '../../src/platform/principal.js';
import { hashToken } from '../../src/platform/secrets/index.js';
import type { TestDatabase } from './database.js';

type Role = Parameters<typeof createUser>[1]['role'];

export interface TestPerson {
  userId: string;
  email: string;
  role: Role;
}

export interface TestSession extends TestPerson {
  sessionId: string;
  token: string;
  csrfToken: string;
  /** As a page of the console sends them, also with a write. */
  headers: { cookie: string; 'x-csrf-token': string };
}

let people = 0;

/** A user of the organization without a password. */
export async function newPerson(
  { database }: Pick<TestDatabase, 'database'>,
  orgId: string,
  role: Role = 'admin',
): Promise<TestPerson> {
  const email = `person-${++people}@test.example`;
  return transact(database, systemPrincipal(orgId, 'operator@test.example'), (tx) =>
    createUser(tx, { email, role }),
  );
}

/** A session as it is after sign-in, for tests of later steps. */
export async function newSession(
  db: TestDatabase,
  orgId: string,
  given: {
    role?: Role;
    person?: TestPerson;
    state?: SessionState;
    lastSeenAt?: Date;
    expiresAt?: Date;
    /** Just now, unless given. */
    secondFactorAt?: Date | null;
  } = {},
): Promise<TestSession> {
  const person = given.person ?? (await newPerson(db, orgId, given.role));
  const now = db.clock.now();
  const sessionId = newSessionId(now);
  const token = newSessionToken({ orgId, sessionId });
  await db.sql(
    `insert into sessions (org_id, session_id, user_id, secret_hash, state, created_at, last_seen_at, expires_at, address,
       second_factor_at, generation)
     select $1, $2, $3, $4, $5, $6, $7, $8, '127.0.0.1', $9, generation from accounts where email = $10`,
    [
      orgId,
      sessionId,
      person.userId,
      hashToken(token),
      given.state ?? 'complete',
      now,
      given.lastSeenAt ?? now,
      given.expiresAt ?? new Date(now.getTime() + 12 * 3_600_000),
      given.secondFactorAt === undefined ? now : given.secondFactorAt,
      person.email,
    ],
  );
  const cookie = sessionCookie(false).give(token).split(';')[0] as string;
  const csrfToken = csrfTokenOf(token);
  return { ...person, sessionId, token, csrfToken, headers: { cookie, 'x-csrf-token': csrfToken } };
}
