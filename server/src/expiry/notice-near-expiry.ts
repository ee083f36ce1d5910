import { publishEvents } from '../events/index.js';
import { dayNumber } from '../platform/calendar/index.js';
import type { Tx } from '../platform/database/index.js';
import {
  claimEntries,
  endNotice,
  findNearOfThese,
  findNearSince,
  lockProductsOf,
  type NearBatch,
  noteLeaving,
  readNearStock,
} from './near-expiry.store.js';

/** Called in the transaction of everything that adds to stock: tells of batches that now are near expiry. */
export async function noticeNearExpiry(tx: Tx, productCodes: readonly string[]): Promise<void> {
  if (productCodes.length > 0) await announce(tx, await findNearOfThese(tx, [...new Set(productCodes)]));
}

/** Called in the transaction that changes how many days before expiry products count as near it, or when a batch expires. */
export async function noticeRangeChange(tx: Tx, productCodes: readonly string[]): Promise<void> {
  if (productCodes.length === 0) return;
  await noteLeaving(tx, productCodes);
  await noticeNearExpiry(tx, productCodes);
}

/** Called in the transaction that corrects the expiry of a batch: a warning given before named another date. */
export async function noticeCorrectedExpiry(tx: Tx, batch: NearBatch): Promise<void> {
  await endNotice(tx, batch);
  await noticeNearExpiry(tx, [batch.productCode]);
}

/**
 * What came into the range by the passing of days, up to `limit` batches at a time; when fewer are found, that was all.
 * `since`: the last day on which all was told.
 */
export async function noticeNearExpirySince(
  tx: Tx,
  since: string,
  limit: number,
): Promise<{ found: number; told: string[] }> {
  const batches = await findNearSince(tx, since, limit);
  // Nobody narrows the range, or moves the stock, between our looking and our telling.
  if (batches.length > 0) await lockProductsOf(tx, batches);
  return { found: batches.length, told: await announce(tx, batches) };
}

/** Answers the batches it told of. */
async function announce(tx: Tx, batches: readonly NearBatch[]): Promise<string[]> {
  if (batches.length === 0) return [];
  const ours = await claimEntries(tx, batches);
  if (ours.length === 0) return [];
  const told = (await readNearStock(tx, ours)).map((batch) => ({
    type: 'expiry.warning' as const,
    at: tx.now,
    // One a day: the day is the version.
    entity: {
      type: 'batch',
      id: `${batch.productCode}/${batch.batchNo}`,
      version: dayNumber(tx.today),
    },
    customerCode: null,
    data: {
      ...batch,
      quantity: batch.byWarehouse.reduce((sum, each) => sum + each.quantity, 0),
    },
  }));
  await publishEvents(tx, told);
  return told.map((event) => event.entity.id);
}
