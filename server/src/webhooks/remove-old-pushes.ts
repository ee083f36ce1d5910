import { type Database, type SweepOptions, sweepOrganizations } from '../platform/database/index.js';
import { refreshNextDue } from './delivery/results.store.js';
import {
  removeAttempts,
  removeDeleted,
  removeDeliveries,
  webhooksWithOldPushes,
} from './old-pushes.store.js';

/** Removes the pushes of events that were removed by age, and webhooks deleted long ago. */
export async function removeOldPushes(database: Database, options: SweepOptions = {}): Promise<number> {
  let removed = 0;
  for (const { orgId, webhookId, removedTo } of await webhooksWithOldPushes(database.worker)) {
    removed += await sweepOrganizations(
      database,
      [orgId],
      async (tx, rowsMax) => {
        const attempts = await removeAttempts(tx, webhookId, removedTo, rowsMax);
        const deliveries = await removeDeliveries(tx, webhookId, removedTo, rowsMax);
        if (deliveries > 0) await refreshNextDue(tx, webhookId);
        // The webhook itself is removed last, when nothing else of it is left.
        if (attempts + deliveries === 0) await removeDeleted(tx, webhookId);
        return attempts + deliveries;
      },
      options,
    );
  }
  return removed;
}
