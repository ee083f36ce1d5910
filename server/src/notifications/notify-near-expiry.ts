import type { Tx } from '../platform/database/index.js';
import {
  endNotice,
  findNearExpiry,
  findNearExpirySince,
  insertNearExpiryNotices,
  lockProductsOf,
  markLeft,
  type NearBatch,
  readNearStock,
} from './near-expiry.store.js';
import { type Notification, type NotifiedBatch, notifyOnce } from './notify-once.js';

/** Notifies about batches of these products that are near expiry. Runs in the transaction of everything that adds to stock. */
export async function notifyNearExpiry(tx: Tx, productCodes: readonly string[]): Promise<void> {
  if (productCodes.length === 0) return;
  await notifyOnce(tx, await findNearExpiry(tx, [...new Set(productCodes)]), claimNearExpiry);
}

/** Runs in the transaction that changes how many days before expiry a batch of these products counts as near it. */
export async function notifyRangeChange(tx: Tx, productCodes: readonly string[]): Promise<void> {
  if (productCodes.length === 0) return;
  await markLeft(tx, productCodes);
  await notifyNearExpiry(tx, productCodes);
}

/** Runs in the transaction that corrects the expiry date of a batch: an earlier notification named another date. */
export async function notifyCorrectedExpiry(tx: Tx, batch: NearBatch): Promise<void> {
  await endNotice(tx, batch);
  await notifyNearExpiry(tx, [batch.productCode]);
}

/**
 * Notifies about batches that came near expiry as time passed, up to `limit`. `since`: the last day with a complete daily
 * run.
 */
export async function notifyNearExpirySince(tx: Tx, since: string, limit: number): Promise<NotifiedBatch> {
  const batches = await findNearExpirySince(tx, since, limit);
  // Locked so that neither the range nor the stock changes between reading and notifying.
  if (batches.length > 0) await lockProductsOf(tx, batches);
  return { found: batches.length, notified: await notifyOnce(tx, batches, claimNearExpiry) };
}

async function claimNearExpiry(tx: Tx, batches: readonly NearBatch[]): Promise<Notification[]> {
  const claimed = await insertNearExpiryNotices(tx, batches);
  if (claimed.length === 0) return [];
  return (await readNearStock(tx, claimed)).map((batch) => ({
    type: 'expiry.warning',
    entity: { type: 'batch', id: `${batch.productCode}/${batch.batchNo}` },
    data: { ...batch, quantity: batch.byWarehouse.reduce((sum, each) => sum + each.quantity, 0) },
  }));
}
