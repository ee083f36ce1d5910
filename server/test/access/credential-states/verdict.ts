import type { ExpectedRoute, Scope } from '../expected-answers/index.js';
import type { keysOf, World } from '../world.js';

/** The expected outcome for the caller. `success`: status 200, with any body. */
export type Verdict =
  | 'success'
  | { status: 401 | 403; code: 1002 | 1003; reason: string; challenge: string }
  | { status: 401 | 403; code: 1002 | 1003; reason: string };

export type Sent = Readonly<Record<string, string>>;

/** The functions that create credentials in each state. */
export interface Makers {
  world: World;
  keys: ReturnType<typeof keysOf>;
  /** OAuth tokens that were good a quarter of an hour ago. */
  expired: { forItself: string; onBehalf: string };
}

/** One state of a credential: how to create it, and the expected verdict of every route. */
export interface CredentialState {
  name: string;
  /** The headers that present it, for a request that needs these scopes, the route's own first. */
  present(makers: Makers, needed: readonly Scope[]): Promise<Sent>;
  verdict(route: ExpectedRoute): Verdict;
}

export const methodOf = (row: ExpectedRoute): string => row.route.slice(0, row.route.indexOf(' '));
export const changesNothing = (row: ExpectedRoute): boolean => methodOf(row) === 'GET';
export const neededBy = (row: ExpectedRoute): Scope[] => [
  ...(row.scope === null ? [] : [row.scope]),
  ...(row.alsoNeeds ?? []),
];

export const missing = (): Verdict => ({
  status: 401,
  code: 1002,
  reason: 'credential_missing',
  challenge: 'Bearer',
});
export const invalid = (): Verdict => ({
  status: 401,
  code: 1002,
  reason: 'credential_invalid',
  challenge: 'Bearer error="invalid_token"',
});
export const unfinished = (): Verdict => ({ status: 401, code: 1002, reason: 'sign_in_unfinished' });
export const forbidden = (reason: string): Verdict => ({ status: 403, code: 1003, reason });
const scopeMissing = (): Verdict => ({
  status: 403,
  code: 1003,
  reason: 'scope_missing',
  challenge: 'Bearer error="insufficient_scope"',
});

/** The verdict on a valid credential with these scopes. */
export function judged(
  row: ExpectedRoute,
  scopes: readonly string[],
  { bound = false, atConsole = false } = {},
): Verdict {
  if (row.scope !== null && !scopes.includes(row.scope)) return scopeMissing();
  if (bound && row.customerBound === 'refused') return forbidden('customer_bound');
  if (row.console && !atConsole) return forbidden('console_only');
  // These depend on the content of the request and are checked last.
  return (row.alsoNeeds ?? []).every((scope) => scopes.includes(scope)) ? 'success' : moreIsNeeded();
}

const moreIsNeeded = scopeMissing;
