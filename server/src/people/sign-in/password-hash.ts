import { BackgroundThreads } from '../../platform/background-thread/index.js';
import { FairQueue } from '../../platform/fair-queue/index.js';
import { randomBase62 } from '../../platform/ids/index.js';
import { refusePerson } from '../people.errors.js';
import { normalized, passwordProblem } from './password.rules.js';

/** The Argon2id parameters that OWASP recommends. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT_PARAMETERS = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

/** For the whole process, so that many sign-ins leave the processors to other requests; those from one address leave a place free. */
const queue = new FairQueue({
  atOnce: 2,
  atOncePerOwner: 1,
  waitingMax: 200,
  waitingPerOwnerMax: 10,
  waitMs: 10_000,
  reason: 'overloaded',
});

/** Hashes for the operator and for this process itself wait in a queue of their own. */
export const OURSELVES = '';

const threads = new BackgroundThreads('password-thread.mjs');

const hashOf = (password: string, caller: string): Promise<string> =>
  queue.run(caller, () => threads.ask<string>({ password: normalized(password), cost: COST }));

let decoyHash: Promise<string> | undefined;

/**
 * An unknown account is compared with a decoy hash, so that timing does not reveal which accounts exist. The decoy is
 * generated before the first comparison of either kind, so that generating it reveals nothing either. `caller` is the address
 * that asks.
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
  const comparison = { hash: stored ?? compared, password: normalized(password) };
  const same = await queue.run(caller, () => threads.ask<boolean>(comparison));
  return same && stored !== null;
}

/** Hashed with weaker parameters: to be rehashed at the next sign-in. */
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
