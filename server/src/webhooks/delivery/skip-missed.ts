import type { Database } from '../../platform/database/index.js';
import { skipBetween } from '../matched.store.js';
import type { Endpoint } from './endpoint.js';
import { advanceWatermark, lockHeldState, readHeldToken } from './results.store.js';
import { transactAsWorker } from './worker-transaction.js';

/**
 * Stores as skipped what was missed while the webhook was disabled. Returns the new watermark; null if the lease is lost.
 */
export function skipMissed(database: Database, endpoint: Endpoint): Promise<number | null> {
  const { webhookId, head } = endpoint;
  return transactAsWorker(database, endpoint.orgId, async (tx) => {
    const state = await lockHeldState(tx, webhookId, await readHeldToken(tx, endpoint.token));
    if (!state) return null;
    const upTo = Math.max(state.watermark, state.status === 'disabled' ? head : state.sendFrom);
    await skipBetween(tx, webhookId, state.watermark, upTo);
    await advanceWatermark(tx, webhookId, upTo);
    return upTo;
  });
}
