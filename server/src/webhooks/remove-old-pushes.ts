import { type Database, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { refreshNextDue } from './delivery/results.store.js';
import {
  removeAttempts,
  removeDeleted,
  removeDeliveries,
  webhooksWithOldPushes,
} from './old-pushes.store.js';

const BATCH = 1_000;

/** Removes what became of events that are themselves removed by age, and webhooks deleted long ago. */
export async function removeOldPushes(database: Database): Promise<number> {
  let removed = 0;
  for (const { orgId, webhookId, removedTo } of await webhooksWithOldPushes(database.worker)) {
    const remover = systemPrincipal(orgId, 'worker@lotward.invalid');
    for (;;) {
      const count = await transact(
        database,
        remover,
        async (tx) => {
          const attempts = await removeAttempts(tx, webhookId, removedTo, BATCH);
          const deliveries = await removeDeliveries(tx, webhookId, removedTo, BATCH);
          if (deliveries > 0) await refreshNextDue(tx, webhookId);
          return attempts + deliveries;
        },
        { as: 'worker' },
      );
      removed += count;
      if (count === 0) break;
    }
    await transact(database, remover, (tx) => removeDeleted(tx, webhookId), { as: 'worker' });
  }
  return removed;
}
