import { ApiError } from '../platform/errors/index.js';
import { type Admission, forbidden, type Gate, requestReasons } from '../platform/http/index.js';
import type { Decision, Limiter } from '../platform/rate-limit/index.js';
import { addressGroup } from './allow-list.js';
import type { Credential, Credentials } from './credentials.js';
import type { KeyUse } from './key-use.js';

const FAILURES_PER_MINUTE = 100;

/** Credential, address, rate: in this order, and without waiting where nothing needs to be asked. */
export function openGate(credentials: Credentials, limiter: Limiter, use: KeyUse): Gate {
  const unauthenticated = async (
    reason: 'credential_missing' | 'credential_invalid',
    address: string,
  ): Promise<never> => {
    // Only failures are counted, so a valid credential behind a busy address is never held up.
    const decision = await limiter.take(`failures ${addressGroup(address)}`, FAILURES_PER_MINUTE);
    if (!decision.allowed) throw limited(decision, {});
    const message = requestReasons[reason].meaning;
    const challenge = reason === 'credential_missing' ? 'Bearer' : 'Bearer error="invalid_token"';
    throw new ApiError('unauthenticated', [{ path: null, reason, message }], {
      headers: { 'www-authenticate': challenge },
    });
  };

  const enter = (credential: Credential, address: string): Admission | Promise<Admission> => {
    if (!credential.allows(address)) throw forbidden('address_not_allowed');
    use.note(credential.principal.orgId, credential.keyId);
    const limit = credential.requestsPerMinute;
    const decision = limiter.take(`key ${credential.keyId}`, limit);
    return decision instanceof Promise
      ? decision.then((answer) => decide(credential, limit, answer))
      : decide(credential, limit, decision);
  };

  return {
    admit(token, address) {
      if (token === null) return unauthenticated('credential_missing', address);
      const found = credentials.resolve(token);
      if (found instanceof Promise) {
        return found.then((credential) =>
          credential ? enter(credential, address) : unauthenticated('credential_invalid', address),
        );
      }
      return found ? enter(found, address) : unauthenticated('credential_invalid', address);
    },
  };
}

function decide(credential: Credential, limit: number, decision: Decision): Admission {
  const headers = {
    'ratelimit-policy': `"minute";q=${limit};w=60`,
    ratelimit: `"minute";r=${decision.remaining};t=${Math.ceil(decision.resetMs / 1000)}`,
  };
  if (!decision.allowed) throw limited(decision, headers);
  return { principal: credential.principal, headers };
}

function limited(decision: Decision, headers: Record<string, string>): ApiError {
  const retryAfter = String(Math.max(1, Math.ceil(decision.resetMs / 1000)));
  const issue = { path: null, reason: 'rate_limited', message: `try again in ${retryAfter} s` };
  return new ApiError('limited', [issue], { headers: { ...headers, 'retry-after': retryAfter } });
}
