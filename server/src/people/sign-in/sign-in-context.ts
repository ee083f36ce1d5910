import { countFailure } from '../../access/index.js';
import { type Database, type Tx, transact } from '../../platform/database/index.js';
import { ApiError } from '../../platform/errors/index.js';
import type { Limiter } from '../../platform/rate-limit/index.js';
import type { SecretBox } from '../../platform/secrets/index.js';
import { enterAccount } from '../account.store.js';
import type { LinkMailing } from '../people-mails.js';
import type { DeviceCookie } from './device.js';

/** The dependencies of every sign-in step. */
export interface SignInContext {
  database: Database;
  /** Seals what is stored of second factors. */
  box: SecretBox;
  limiter: Limiter;
  devices: DeviceCookie;
  mailing: LinkMailing;
}

/** A transaction of the person before sign-in. An unknown address has no organization, but the same work is done. */
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
      sandbox: null,
    },
    async (tx) => {
      await enterAccount(tx, who.email);
      return work(tx);
    },
    { requestId: who.requestId },
  );

/** Counts refusals by address as well, after the transaction has released its locks. */
export async function countingRefusals<T>(
  limiter: Limiter,
  address: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && isWrongSecret(error)) await countFailure(limiter, address);
    throw error;
  }
}

const isWrongSecret = ({ kind, issues }: ApiError): boolean =>
  kind === 'unauthenticated' || issues[0]?.reason === 'password_wrong';
