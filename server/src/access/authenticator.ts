import { ApiError } from '../platform/errors/index.js';
import {
  type Admission,
  type Authenticator,
  type CallHeaders,
  forbidden,
  requestReasons,
} from '../platform/http/index.js';
import type { Decision, Limiter } from '../platform/rate-limit/index.js';
import type { Credential } from './credential.js';
import type { CredentialCache } from './credential-cache.js';
import { countFailure, limited } from './failure-limit.js';
import { csrfTokenOf, type SessionCookie } from './session-cookie.js';

/** Records the use of credentials. */
export interface UseRecorder {
  note(credential: Credential): void;
}

type CallOptions = Parameters<Authenticator['authenticate']>[3];

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/** Checks credential, address and rate in this order; without a promise when everything is cached. */
export function openAuthenticator(
  credentials: CredentialCache,
  limiter: Limiter,
  use: UseRecorder,
  cookie: SessionCookie,
): Authenticator {
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

  const admit = (
    credential: Credential,
    address: string,
    { unattended, cost }: CallOptions,
  ): Admission | Promise<Admission> => {
    if (!credential.allows(address)) throw forbidden('address_not_allowed');
    // A page left open keeps its stream open, which alone must not keep an idle session alive.
    if (!unattended || credential.kind !== 'session') use.note(credential);
    const limit = credential.requestsPerMinute;
    const decision = limiter.take(credential.countedAs, limit, cost);
    return decision instanceof Promise
      ? decision
          .then((taken) => decide(credential, limit, taken))
          .catch((error) => Promise.reject(refusedTo(credential, error)))
      : decide(credential, limit, decision);
  };

  return {
    refuseCrossSite,
    countMalformed: (address) => countFailure(limiter, address),
    authenticate(method, headers, address, options) {
      const presented = presentedIn(headers, cookie);
      if (presented === null) return unauthenticated('credential_missing', address);
      const { token, byCookie } = presented;
      const found = credentials.resolve(token);
      const judge = (credential: Credential | null) => {
        if (!credential || !isAllowedTransport(credential, presented))
          return unauthenticated('credential_invalid', address);
        try {
          if (byCookie && !SAFE_METHODS.has(method)) requireOwnPage(headers, token);
          return admit(credential, address, options);
        } catch (error) {
          throw refusedTo(credential, error);
        }
      };
      return found instanceof Promise ? found.then(judge) : judge(found);
    },
    async identify(headers, address) {
      const presented = presentedIn(headers, cookie);
      const credential = presented && (await credentials.resolve(presented.token));
      if (!credential || !isAllowedTransport(credential, presented)) return null;
      return credential.allows(address) ? credential.principal : null;
    },
  };
}

/** A request refused here gets no principal; the error carries it instead, for request counts and the log. */
function refusedTo(credential: Credential, error: unknown): unknown {
  if (error instanceof ApiError) error.refused = credential.principal;
  return error;
}

interface Presented {
  token: string;
  byCookie: boolean;
}

/** A session is valid only in its cookie: as a bearer token it would leave the console. */
const isAllowedTransport = (credential: Credential, { byCookie }: Presented): boolean =>
  (credential.kind === 'session') === byCookie;

/** The header wins: a browser adds its cookies to requests that mean another credential. */
function presentedIn(headers: CallHeaders, cookie: SessionCookie): Presented | null {
  const { authorization } = headers;
  if (authorization !== undefined) return { token: bearerToken(authorization), byCookie: false };
  const token = headers.cookie === undefined ? null : cookie.read(headers.cookie);
  return token === null ? null : { token, byCookie: true };
}

function bearerToken(header: string): string {
  return header.length > 7 && header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7).trim() : '';
}

/** A browser adds the cookie to requests that any page makes it send; only our own page knows the CSRF token. */
function requireOwnPage(headers: CallHeaders, token: string): void {
  refuseCrossSite(headers);
  if (headers['x-csrf-token'] !== csrfTokenOf(token)) throw forbidden('cross_site_request');
}

export function refuseCrossSite(headers: CallHeaders): void {
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
