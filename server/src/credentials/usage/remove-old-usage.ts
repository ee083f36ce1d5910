import { type Database, type SweepOptions, sweepOrganizations } from '../../platform/database/index.js';
import { organizationsWithOldUsage, removeUsageBefore } from './usage.store.js';

const KEPT_MS = 90 * 86_400_000;
/** Rows are counted by the hour and credential: a batch is of two days. */
const HOURS_MAX = 48;

/** Removes what was counted more than 90 days ago. */
export async function removeOldUsage(database: Database, options: SweepOptions = {}): Promise<void> {
  const before = new Date(database.clock.now().getTime() - KEPT_MS);
  const orgIds = await organizationsWithOldUsage(database.worker, before);
  await sweepOrganizations(database, orgIds, (tx) => removeUsageBefore(tx, before, HOURS_MAX), options);
}
