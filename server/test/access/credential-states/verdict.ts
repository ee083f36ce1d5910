import type { ExpectedRoute, Scope } from '../expected-answers/index.js';
import type { keysOf, World } from '../world.js';

/** What the caller must see. `success`: whatever the route answers to its own request, with status 200. */
export type Verdict =
  | 'success'
  | { status: 401 | 403; code: 1002 | 1003; reason: string; challenge: string }
  | { status: 401 | 403; code: 1002 | 1003; reason: string };

export type Sent = Readonly<Record<string, string>>;

/** What states are made with. */
export interface Makers {
  world: World;
  keys: ReturnType<typeof keysOf>;
  /** OAuth tokens that were good a quarter of an hour ago. */
  expired: { forItself: string; onBehalf: string };
}

/** One state a credential can be in: how it comes about, and how every route answers to it. */
export interface CredentialState {
  name: string;
  /** The headers it is presented in, made for a request that needs these scopes, the route's first. */
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

/** What a good credential with these scopes meets on a route. */
export function judged(
  row: ExpectedRoute,
  scopes: readonly string[],
  { bound = false, atConsole = false } = {},
): Verdict {
  if (row.scope !== null && !scopes.includes(row.scope)) return scopeMissing();
  if (bound && row.customerBound === 'refused') return forbidden('customer_bound');
  if (row.console && !atConsole) return forbidden('console_only');
  // What is asked for decides about these, and is looked at last.
  return (row.alsoNeeds ?? []).every((scope) => scopes.includes(scope)) ? 'success' : moreIsNeeded();
}

const moreIsNeeded = scopeMissing;
