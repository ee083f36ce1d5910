import type { FeedEvent } from '../../events/index.js';
import type { Database } from '../../platform/database/index.js';
import type { Endpoint } from './endpoint.js';
import { lockHeldState, readHeldToken, refreshNextDue, saveDeliveries } from './results.store.js';
import { findRecovering } from './supply.store.js';
import { transactAsWorker } from './worker-transaction.js';

/**
 * Stores new events of an entity as recovering while older ones wait to be recovered, so that they arrive in order. Returns
 * the events that may be sent immediately; null if the lease is lost.
 */
export function queueBehindRecovery(
  database: Database,
  endpoint: Endpoint,
  events: readonly FeedEvent[],
): Promise<FeedEvent[] | null> {
  const { webhookId } = endpoint;
  return transactAsWorker(database, endpoint.orgId, async (tx) => {
    if (!(await lockHeldState(tx, webhookId, await readHeldToken(tx, endpoint.token)))) return null;
    const entities = events.map((event) => event.entity);
    const recovering = await findRecovering(tx, webhookId, entities);
    const behind = events.filter((event) => recovering.has(event.entity));
    await saveDeliveries(
      tx,
      webhookId,
      behind.map(({ position }) => ({
        position,
        status: 'recovering' as const,
        attempts: 0,
        tries: 0,
        dueAt: tx.now,
        manual: false,
        resumeDueAt: null,
      })),
    );
    await refreshNextDue(tx, webhookId);
    return events.filter((event) => !recovering.has(event.entity));
  });
}
