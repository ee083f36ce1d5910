import type { ProductChange } from '../catalogue/index.js';
import type { Tx } from '../platform/database/index.js';
import { notifyLowStock } from './notify-low-stock.js';
import { notifyRangeChange } from './notify-near-expiry.js';

/** A raised safety stock can put a product below it; a changed range moves batches into it or out of it. */
export async function notifyProductChanges(tx: Tx, changes: readonly ProductChange[]): Promise<void> {
  await notifyLowStock(
    tx,
    changes
      .filter(({ before, after }) => after.safetyStock > before.safetyStock)
      .map(({ after }) => after.productCode),
  );
  await notifyRangeChange(
    tx,
    changes
      .filter(({ before, after }) => after.nearExpiryDays !== before.nearExpiryDays)
      .map(({ after }) => after.productCode),
  );
}
