import { type Database, type Tx, transact } from '../../platform/database/index.js';
import { ApiError } from '../../platform/errors/index.js';
import type { Limiter } from '../../platform/rate-limit/index.js';
import type { SecretBox } from '../../platform/secrets/index.js';
import { countFailure } from '../failure-limit.js';
import type { DeviceCookie } from './device.js';
import type { LinkMailing } from './people-mails.js';

/** What every step through the door works with. */
export interface Door {
  database: Database;
  /** Seals what is stored of second factors. */
  box: SecretBox;
  limiter: Limiter;
  devices: DeviceCookie;
  mailing: LinkMailing;
}

/** Somebody who is not signed in yet, or a stranger: then there is no organization, and the rest is the same. */
export const transactAs = <T>(
  database: Database,
  who: { orgId: string | null; email: string; sessionId?: string; requestId: string },
  work: (tx: Tx) => Promise<T>,
): Promise<T> =>
  transact(
    database,
    {
      orgId: who.orgId ?? '',
      actor: who.email,
      credentialId: who.sessionId ?? 'sign-in',
      timeZone: 'UTC',
    },
    work,
    { requestId: who.requestId },
  );

/** Whoever is refused is counted by address too, once nothing is locked any more. */
export async function countingRefusals<T>(
  limiter: Limiter,
  address: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'unauthenticated') await countFailure(limiter, address);
    throw error;
  }
}
