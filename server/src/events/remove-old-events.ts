import { type Database, type SweepOptions, sweepOrganizations } from '../platform/database/index.js';
import { organizationsWithOldEvents, removeOldEvents } from './event.store.js';

const KEPT_MS = 90 * 86_400_000;

/** Removes events older than 90 days. */
export async function removeOldEventsEverywhere(
  database: Database,
  options: SweepOptions = {},
): Promise<number> {
  const before = new Date(database.clock.now().getTime() - KEPT_MS);
  const orgIds = await organizationsWithOldEvents(database.worker, before);
  return sweepOrganizations(database, orgIds, (tx, rowsMax) => removeOldEvents(tx, before, rowsMax), options);
}
