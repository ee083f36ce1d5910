import { addDays, dayIn } from './calendar/index.js';

/** Who acts, for whom, and what they may do. Keys, tokens and sessions all resolve to this one shape. */
export interface Principal {
  readonly orgId: string;
  /** E-mail of the responsible person. */
  readonly actor: string;
  readonly credentialId: string;
  readonly scopes: ReadonlySet<string>;
  /** Set on a bound credential: the only party whose data it may read and write. The slice that binds it defines the party. */
  readonly boundTo: string | null;
  readonly timeZone: string;
  /** The clock of a sandbox; null in production. */
  readonly sandbox: SandboxClock | null;
  /** Set for a person signed in at the console. */
  readonly session?: ConsoleSession;
  /** Set for an OAuth client, with the person on whose behalf it acts and that person's grant, if there is one. */
  readonly client?: { readonly userId: string | null; readonly grantHash: Buffer | null };
}

/** How many days the business day of a sandbox is ahead of the real one. Instants are never moved. */
export interface SandboxClock {
  readonly daysAhead: number;
}

/** The calendar by which an organization counts its days. */
export type Calendar = Pick<Principal, 'timeZone' | 'sandbox'>;

export interface ConsoleSession {
  readonly sessionId: string;
  readonly userId: string;
  /** Unfinished until the second factor was verified, or set up if it is required. */
  readonly state: SessionState;
  /** When the second factor was last given in this session. */
  readonly secondFactorAt: Date | null;
  /** The generation of the account of the person when the session began. */
  readonly generation: number;
  /** When it expires regardless of use. */
  readonly expiresAt: Date;
}
export type SessionState = 'second_factor' | 'enrolment' | 'complete';

/** The requester, where people share an OAuth client: each person has separate Idempotency-Keys. */
export const requesterOf = ({ credentialId, client }: Principal): string =>
  client?.userId ? `${credentialId} ${client.userId}` : credentialId;

/** The person, whichever way they signed in, or the credential of a system. */
export const personOrSystemOf = ({ session, client, credentialId }: Principal): string =>
  session?.userId ?? client?.userId ?? credentialId;

/** The service itself, working for one organization outside any request. */
export function systemPrincipal(
  orgId: string,
  actor: string,
  { timeZone, sandbox }: Calendar = { timeZone: 'UTC', sandbox: null },
): Principal {
  return { orgId, actor, credentialId: 'system', scopes: new Set(), boundTo: null, timeZone, sandbox };
}

/** The organization's day at this instant, by which everything expires, falls due and is dated. */
export function businessDay({ timeZone, sandbox }: Calendar, instant: Date): string {
  const day = dayIn(timeZone, instant);
  return sandbox === null || sandbox.daysAhead === 0 ? day : addDays(day, sandbox.daysAhead);
}
