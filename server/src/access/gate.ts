import { ApiError, ERROR_ROWS } from '../platform/errors/index.js';
import {
  type Admission,
  type CallHeaders,
  forbidden,
  type Gate,
  requestReasons,
} from '../platform/http/index.js';
import type { Decision, Limiter } from '../platform/rate-limit/index.js';
import type { CredentialUse } from './credential-use.js';
import type { Credential, Credentials } from './credentials.js';
import { countFailure, limited } from './failure-limit.js';
import { csrfTokenOf, type SessionCookie } from './people/session-token.js';

const HARMLESS = new Set(['GET', 'HEAD']);

/** Credential, address, rate: in this order, and without waiting where nothing needs to be asked. */
export function openGate(
  credentials: Credentials,
  limiter: Limiter,
  use: CredentialUse,
  cookie: SessionCookie,
): Gate {
  const unauthenticated = async (
    reason: 'credential_missing' | 'credential_invalid',
    address: string,
  ): Promise<never> => {
    await countFailure(limiter, address);
    const message = requestReasons[reason].meaning;
    const challenge = reason === 'credential_missing' ? 'Bearer' : 'Bearer error="invalid_token"';
    throw new ApiError('unauthenticated', [{ path: null, reason, message }], {
      headers: { 'www-authenticate': challenge },
    });
  };

  /** Whoever is turned away here never becomes the caller of a request, by whom it would be counted. */
  const counted = (credential: Credential, error: unknown): unknown => {
    if (error instanceof ApiError) use.count(credential.principal, ERROR_ROWS[error.kind].status);
    return error;
  };

  const enter = (
    credential: Credential,
    address: string,
    unattended: boolean,
  ): Admission | Promise<Admission> => {
    if (!credential.allows(address)) throw forbidden('address_not_allowed');
    // A page left open listens for ever: that nobody is there shall end the session all the same.
    if (!unattended || credential.kind !== 'session') use.note(credential);
    const limit = credential.requestsPerMinute;
    const decision = limiter.take(credential.countedAs, limit);
    return decision instanceof Promise
      ? decision
          .then((answer) => decide(credential, limit, answer))
          .catch((error) => Promise.reject(counted(credential, error)))
      : decide(credential, limit, decision);
  };

  return {
    refuseOtherSites,
    admit(method, headers, address, unattended = false) {
      const presented = presentedIn(headers, cookie);
      if (presented === null) return unauthenticated('credential_missing', address);
      const { token, byCookie } = presented;
      const found = credentials.resolve(token);
      const judge = (credential: Credential | null) => {
        if (!credential || !cameAsItMust(credential, presented))
          return unauthenticated('credential_invalid', address);
        try {
          if (byCookie && !HARMLESS.has(method)) requireOwnPage(headers, token);
          return enter(credential, address, unattended);
        } catch (error) {
          throw counted(credential, error);
        }
      };
      return found instanceof Promise ? found.then(judge) : judge(found);
    },
    async recognize(headers, address) {
      const presented = presentedIn(headers, cookie);
      const credential = presented && (await credentials.resolve(presented.token));
      if (!credential || !cameAsItMust(credential, presented)) return null;
      return credential.allows(address) ? credential.principal : null;
    },
  };
}

interface Presented {
  token: string;
  byCookie: boolean;
}

/** A session lives in its cookie: as a bearer token it would leave the console. */
const cameAsItMust = (credential: Credential, { byCookie }: Presented): boolean =>
  (credential.kind === 'session') === byCookie;

/** Whoever sends the header means that credential, whatever cookies a browser adds. */
function presentedIn(headers: CallHeaders, cookie: SessionCookie): Presented | null {
  const { authorization } = headers;
  if (authorization !== undefined) return { token: bearerToken(authorization), byCookie: false };
  const token = headers.cookie === undefined ? null : cookie.read(headers.cookie);
  return token === null ? null : { token, byCookie: true };
}

function bearerToken(header: string): string {
  return header.length > 7 && header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7).trim() : '';
}

/** A browser adds the cookie to whatever any page makes it send; the token only our own page knows. */
function requireOwnPage(headers: CallHeaders, token: string): void {
  refuseOtherSites(headers);
  if (headers['x-csrf-token'] !== csrfTokenOf(token)) throw forbidden('cross_site_request');
}

export function refuseOtherSites(headers: CallHeaders): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw forbidden('cross_site_request');
}

function decide(credential: Credential, limit: number, decision: Decision): Admission {
  const headers = {
    'ratelimit-policy': `"minute";q=${limit};w=60`,
    ratelimit: `"minute";r=${decision.remaining};t=${Math.ceil(decision.resetMs / 1000)}`,
  };
  if (!decision.allowed) throw limited(decision, headers);
  return { principal: credential.principal, headers };
}
