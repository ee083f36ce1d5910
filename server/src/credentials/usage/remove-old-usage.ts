import { type Database, type SweepOptions, sweepOrganizations } from '../../platform/database/index.js';
import { organizationsWithOldUsage, removeUsageBefore } from './usage.store.js';

const KEPT_MS = 90 * 86_400_000;
/** There is a row per hour and credential: one batch covers two days. */
const HOURS_MAX = 48;

/** Removes counts older than 90 days. */
export async function removeOldUsage(database: Database, options: SweepOptions = {}): Promise<void> {
  const before = new Date(database.clock.now().getTime() - KEPT_MS);
  const orgIds = await organizationsWithOldUsage(database.worker, before);
  await sweepOrganizations(database, orgIds, (tx) => removeUsageBefore(tx, before, HOURS_MAX), options);
}
