import { type Database, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { organizationsWithOldEvents, removeOldEvents } from './event.store.js';

const KEPT_MS = 90 * 86_400_000;
const BATCH = 1_000;

/** Removes events older than 90 days, in small batches so that no writer waits. */
export async function removeOldEventsEverywhere(database: Database): Promise<number> {
  const before = new Date(database.clock.now().getTime() - KEPT_MS);
  let removed = 0;
  for (const orgId of await organizationsWithOldEvents(database.worker, before)) {
    const remover = systemPrincipal(orgId, 'worker@lotward.invalid');
    for (;;) {
      const count = await transact(database, remover, (tx) => removeOldEvents(tx, before, BATCH), {
        as: 'worker',
      });
      removed += count;
      if (count < BATCH) break;
    }
  }
  return removed;
}
