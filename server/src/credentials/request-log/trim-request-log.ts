import {
  type Database,
  removeInBatches,
  type SweepOptions,
  sweepOrganizations,
  transact,
} from '../../platform/database/index.js';
import { systemPrincipal } from '../../platform/principal.js';
import {
  credentialsLoggedSince,
  organizationsLoggedSince,
  organizationsWithOlderRequests,
  removeRequestsBefore,
  removeRequestsBeyond,
} from './request-log.store.js';

const DAY_MS = 86_400_000;
/** Also bounds how long the successes of an unused credential are kept. */
const KEPT_MS = { failures: 7 * DAY_MS, any: 90 * DAY_MS };
/** Requests are written a few seconds late, or later after a database outage. */
const LATE_MS = 5 * 60_000;
const TRIMMER = 'worker@lotward.invalid';

/** The newest requests kept per credential. Failures are limited too: a loop that fails must not fill the disk. */
const KEPT_OF_CREDENTIAL = { successes: 1_000, failures: 100_000 };

/**
 * Returns the task that trims the log. Each run visits only credentials with requests since the previous run; the first
 * visits all.
 */
export function requestLogTrimmer(
  database: Database,
  kept = KEPT_OF_CREDENTIAL,
): (options?: SweepOptions) => Promise<void> {
  let since = new Date(0);
  return async (options = {}) => {
    const nowMs = database.clock.now().getTime();
    await removeOld(database, nowMs, options);
    for (const orgId of await organizationsLoggedSince(database.worker, since))
      await trimOrganization(database, orgId, { since, kept }, options);
    if (!options.signal?.aborted) since = new Date(nowMs - LATE_MS);
  };
}

async function removeOld(database: Database, nowMs: number, options: SweepOptions): Promise<void> {
  for (const which of ['failures', 'any'] as const) {
    const before = new Date(nowMs - KEPT_MS[which]);
    const orgIds = await organizationsWithOlderRequests(database.worker, which, before);
    await sweepOrganizations(
      database,
      orgIds,
      (tx, rowsMax) => removeRequestsBefore(tx, which, before, rowsMax),
      options,
    );
  }
}

async function trimOrganization(
  database: Database,
  orgId: string,
  { since, kept }: { since: Date; kept: typeof KEPT_OF_CREDENTIAL },
  options: SweepOptions,
): Promise<void> {
  const trimmer = systemPrincipal(orgId, TRIMMER);
  const as = { as: 'worker' } as const;
  const credentialIds = await transact(database, trimmer, (tx) => credentialsLoggedSince(tx, since), as);
  for (const credentialId of credentialIds)
    for (const outcome of ['successes', 'failures'] as const) {
      const newest = { credentialId, kept: kept[outcome] };
      await removeInBatches(
        (rowsMax) =>
          transact(database, trimmer, (tx) => removeRequestsBeyond(tx, outcome, newest, rowsMax), as),
        options,
      );
    }
}
