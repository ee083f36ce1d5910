import {
  type Database,
  removeInBatches,
  type SweepOptions,
  sweepOrganizations,
} from '../../platform/database/index.js';
import { removeOldAttempts } from './attempts.store.js';
import { organizationsWithExpired, removeExpiredOf } from './expired.store.js';
import { SESSION_IDLE_MS } from './session-resolver.js';

/** Removes sessions and mailed links that have expired or that a change of the account ended, and counters of failed sign-ins. */
export async function removeExpiredSignIns(database: Database, options: SweepOptions = {}): Promise<number> {
  const now = database.clock.now();
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  const orgIds = await organizationsWithExpired(database.worker, now, idleSince);
  const ended = await sweepOrganizations(
    database,
    orgIds,
    (tx, rowsMax) => removeExpiredOf(tx, idleSince, rowsMax),
    options,
  );
  const attempts = await removeInBatches(
    (rowsMax) => removeOldAttempts(database.worker, now, rowsMax),
    options,
  );
  return ended + attempts;
}
