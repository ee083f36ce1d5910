import { ApiError } from '../platform/errors/index.js';
import type { Decision, Limiter } from '../platform/rate-limit/index.js';
import { addressGroup } from './allow-list.js';

const FAILURES_PER_MINUTE = 100;

/** Only failures are counted, so a valid credential behind a busy address is never held up. */
export async function countFailure(limiter: Limiter, address: string): Promise<void> {
  refuseIfLimited(await limiter.take(keyOf(address), FAILURES_PER_MINUTE));
}

/** For calls that are expensive before it is known whether they fail. */
export async function requireFewFailures(limiter: Limiter, address: string): Promise<void> {
  refuseIfLimited(await limiter.take(keyOf(address), FAILURES_PER_MINUTE, 0));
}

const keyOf = (address: string): string => `failures ${addressGroup(address)}`;

function refuseIfLimited(decision: Decision): void {
  if (!decision.allowed) throw limited(decision);
}

export function limited(decision: Decision, headers: Readonly<Record<string, string>> = {}): ApiError {
  const retryAfter = String(Math.max(1, Math.ceil(decision.resetMs / 1000)));
  const issue = { path: null, reason: 'rate_limited', message: `try again in ${retryAfter} s` };
  return new ApiError('limited', [issue], { headers: { ...headers, 'retry-after': retryAfter } });
}
