import { type Database, type SweepOptions, sweepOrganizations } from '../platform/database/index.js';
import { organizationsWithOldImports, removeImportsBefore } from './import.store.js';

const KEPT_MS = 30 * 86_400_000;
/** Each has up to ten thousand refused rows. */
const IMPORTS_MAX = 5;

/** Removes imports that ended more than 30 days ago, with their reports. */
export async function removeOldImports(database: Database, options: SweepOptions = {}): Promise<void> {
  const before = new Date(database.clock.now().getTime() - KEPT_MS);
  const orgIds = await organizationsWithOldImports(database.worker, before);
  await sweepOrganizations(database, orgIds, (tx) => removeImportsBefore(tx, before, IMPORTS_MAX), options);
}
