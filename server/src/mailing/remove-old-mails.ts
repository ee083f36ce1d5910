import { type Database, type SweepOptions, sweepOrganizations } from '../platform/database/index.js';
import { organizationsWithOldMail, removeSettledMails } from './mail.store.js';

const KEPT_MS = 90 * 86_400_000;

/** Removes mails that were sent or permanently failed more than 90 days ago. */
export async function removeOldMails(database: Database, options: SweepOptions = {}): Promise<number> {
  const before = new Date(database.clock.now().getTime() - KEPT_MS);
  const orgIds = await organizationsWithOldMail(database.worker, before);
  return sweepOrganizations(
    database,
    orgIds,
    (tx, rowsMax) => removeSettledMails(tx, before, rowsMax),
    options,
  );
}
