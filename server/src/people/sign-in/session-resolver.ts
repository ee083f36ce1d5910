import { timingSafeEqual } from 'node:crypto';
import { type Credential, REFUSED, type Resolution, type Resolver } from '../../access/index.js';
import type { Clock } from '../../platform/clock/index.js';
import { batchedByOrganization, type Pool } from '../../platform/database/index.js';
import { hashToken } from '../../platform/secrets/index.js';
import { scopesOfRole } from '../roles.js';
import { readSessions, type SessionForLogin } from './session.store.js';
import { type SessionName, sessionNamedBy } from './session-token.js';

/** A session expires after this long without a request. */
export const SESSION_IDLE_MS = 60 * 60_000;
export const SESSION_REQUESTS_PER_MINUTE = 1000;

const everywhere = () => true;

/** Resolves console sessions. */
export function sessionResolver(reader: Pool, clock: Clock): Resolver {
  const load = batchedByOrganization<SessionName, SessionForLogin | null>(
    reader,
    (names) => readSessions(reader, names),
    { keysMax: 1_000, inFlightMax: 2 },
  );
  return (token) => {
    const name = sessionNamedBy(token);
    if (name === null) return null;
    return load(name).then((session) => judge(session, hashToken(token), clock.now()));
  };
}

function judge(session: SessionForLogin | null, tokenHash: Buffer, now: Date): Resolution {
  if (session?.orgStatus !== 'active' || session.userStatus !== 'active') return REFUSED;
  if (session.generation !== session.currentGeneration) return REFUSED;
  if (!timingSafeEqual(session.secretHash, tokenHash)) return REFUSED;
  const validUntilMs = Math.min(session.expiresAt.getTime(), session.lastSeenAt.getTime() + SESSION_IDLE_MS);
  if (now.getTime() > validUntilMs) return REFUSED;
  return { credential: toCredential(session), validUntilMs };
}

const toCredential = (session: SessionForLogin): Credential => ({
  kind: 'session',
  id: session.sessionId,
  countedAs: `user ${session.userId}`,
  requestsPerMinute: SESSION_REQUESTS_PER_MINUTE,
  allows: everywhere,
  principal: {
    orgId: session.orgId,
    actor: session.email,
    credentialId: session.sessionId,
    scopes: scopesOfRole(session.role),
    boundTo: null,
    timeZone: session.timeZone,
    sandbox: session.sandbox,
    session: {
      sessionId: session.sessionId,
      userId: session.userId,
      state: session.state,
      secondFactorAt: session.secondFactorAt,
      generation: session.generation,
      expiresAt: session.expiresAt,
    },
  },
});
