import { performance } from 'node:perf_hooks';
import { BackgroundThreads } from '../../platform/background-thread/index.js';
import { FairQueue } from '../../platform/fair-queue/index.js';
import { randomBase62 } from '../../platform/ids/index.js';
import { refusePerson } from '../people.errors.js';
import { normalized, passwordProblem } from './password.rules.js';

/** The Argon2id parameters that OWASP recommends. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT_PARAMETERS = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

/**
 * Shared by the whole process, so that many sign-ins leave processors for other requests; those from one address leave a
 * slot free.
 */
const queue = new FairQueue({
  atOnce: 2,
  atOncePerOwner: 1,
  waitingMax: 200,
  // No fewer than the requests of one address in progress: callers that wait retry less than those refused immediately.
  waitingPerOwnerMax: 20,
  waitMs: 10_000,
  reason: 'overloaded',
});

/**
 * After a wrong password, its address waits this many times as long as the comparison took, so that guessing uses about an
 * eighth of a processor. Only the next sign-in from that address waits, and no longer than this on a busy machine.
 */
const REST_AFTER_WRONG = 7;
const REST_MAX_MS = 400;

/** Hashes for the operator and the process itself use a queue of their own. */
export const OURSELVES = '';

const threads = new BackgroundThreads('password-thread.mjs');

const hashOf = (password: string, caller: string): Promise<string> =>
  queue.run(caller, () => threads.ask<string>({ password: normalized(password), cost: COST }));

let decoyHash: Promise<string> | undefined;

/**
 * An unknown account is compared with a decoy hash, so that timing does not reveal which accounts exist. The decoy is
 * generated before the first comparison of any kind, so that generating it reveals nothing either. `caller` is the
 * requesting address.
 */
export async function isPasswordOf(
  stored: string | null,
  password: string,
  caller: string,
): Promise<boolean> {
  decoyHash ??= hashOf(randomBase62(32), OURSELVES).catch((error) => {
    decoyHash = undefined;
    throw error;
  });
  const compared = await decoyHash;
  const leave = await queue.acquire(caller);
  const startedAt = performance.now();
  let restMs = 0;
  try {
    const isSame = await threads.ask<boolean>({ hash: stored ?? compared, password: normalized(password) });
    if (!isSame) restMs = Math.min(REST_MAX_MS, REST_AFTER_WRONG * (performance.now() - startedAt));
    return isSame && stored !== null;
  } finally {
    leave(restMs);
  }
}

/** Hashed with weaker parameters, so it must be rehashed at the next sign-in. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(CURRENT_PARAMETERS);

export const rehashPassword = hashOf;

/** Hashes a chosen password, or refuses one that violates the policy. */
export async function hashNewPassword(
  password: string,
  about: { email: string; organization: string },
  caller: string,
  path = '/password',
): Promise<string> {
  const problem = passwordProblem(password, about);
  if (problem) throw refusePerson(problem, path);
  return hashOf(password, caller);
}
