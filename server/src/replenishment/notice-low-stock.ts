import { publishEvents } from '../events/index.js';
import { dayNumber } from '../platform/calendar/index.js';
import type { Tx } from '../platform/database/index.js';
import { claimNotices, readUnannounced } from './low-stock.store.js';

/**
 * Called in the transaction of every fall of available stock, and of a raised safety stock: announces products that
 * are now below their line, each at most once a day where the organization is. Answers those it told of.
 */
export async function noticeLowStock(tx: Tx, productCodes: readonly string[]): Promise<string[]> {
  if (productCodes.length === 0) return [];
  const candidates = (await readUnannounced(tx, [...new Set(productCodes)]))
    .map((product) => ({
      ...product,
      availableQuantity: product.byWarehouse.reduce((sum, each) => sum + each.availableQuantity, 0),
    }))
    .filter((product) => product.availableQuantity < product.safetyStock);
  if (candidates.length === 0) return [];
  const ours = await claimNotices(
    tx,
    candidates.map((product) => product.productCode),
  );
  const told = candidates.filter((product) => ours.has(product.productCode));
  await publishEvents(
    tx,
    told.map((product) => ({
      type: 'inventory.low_stock' as const,
      at: tx.now,
      // One a day: the day is the version.
      entity: { type: 'product', id: product.productCode, version: dayNumber(tx.today) },
      customerCode: null,
      data: {
        productCode: product.productCode,
        productName: product.productName,
        availableQuantity: product.availableQuantity,
        safetyStock: product.safetyStock,
        byWarehouse: product.byWarehouse,
      },
    })),
  );
  return told.map((product) => product.productCode);
}
