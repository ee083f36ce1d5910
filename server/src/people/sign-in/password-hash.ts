import { hash, verify } from '@node-rs/argon2';
import { randomBase62 } from '../../platform/ids/index.js';
import { refusePerson } from '../people.errors.js';
import { boundedWork } from './bounded-work.js';
import { normalized, passwordProblem } from './password.rules.js';

/** Argon2id, as OWASP has it: slow enough for whoever steals the hashes, quick enough for whoever signs in. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const MADE_LIKE_THIS = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

/** Of the whole process: however many sign in at once, the rest of the service keeps its processors. */
const oneOfFew = boundedWork({ atOnce: 2, waitingMax: 60 });

const hashOf = (password: string): Promise<string> => oneOfFew(() => hash(normalized(password), COST));

let nobodys: Promise<string> | undefined;

/**
 * The hash of somebody who does not exist costs as much to compare as any. It is made before either kind is compared
 * for the first time, so that not even that tells them apart.
 */
export async function isPasswordOf(stored: string | null, password: string): Promise<boolean> {
  nobodys ??= hashOf(randomBase62(32)).catch((error) => {
    nobodys = undefined;
    throw error;
  });
  const compared = await nobodys;
  const same = await oneOfFew(() => verify(stored ?? compared, normalized(password)));
  return same && stored !== null;
}

/** Made when less effort was asked for: to be made again when the password is at hand. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(MADE_LIKE_THIS);

export const hashAgain = hashOf;

/** The hash of a password somebody chose, once it has passed the policy. */
export async function hashNewPassword(
  password: string,
  about: { email: string; organization: string },
  path = '/password',
): Promise<string> {
  const problem = passwordProblem(password, about);
  if (problem) throw refusePerson(problem, path);
  return hashOf(password);
}
