import { addDays } from '../platform/calendar/index.js';
import type { Database } from '../platform/database/index.js';
import { dropReadingsBefore, makeReadingsMonth } from './reading-month.store.js';

const MONTHS_AHEAD = 2;

/**
 * Creates the partitions of this month and the next ones, and drops readings older than the retention period. Safe to run
 * concurrently.
 */
export async function keepReadings(database: Database, options: { retentionDays: number }): Promise<void> {
  const now = database.clock.now();
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
    await makeReadingsMonth(database.worker, month.toISOString().slice(0, 10));
  }
  await dropReadingsBefore(database.worker, addDays(now.toISOString().slice(0, 10), -options.retentionDays));
}
