import type { Tx } from '../platform/database/index.js';
import { insertLowStockNotices, type LowProduct, readUnnotified } from './low-stock.store.js';
import { type Notification, notifyOnce } from './notify-once.js';

/**
 * Notifies about those of the products that are below their safety stock, each at most once per day of the organization.
 * Runs in the transaction of every decrease of available stock. Returns the product codes notified about.
 */
export async function notifyLowStock(tx: Tx, productCodes: readonly string[]): Promise<string[]> {
  if (productCodes.length === 0) return [];
  const products = (await readUnnotified(tx, [...new Set(productCodes)])).map((product) => ({
    ...product,
    availableQuantity: product.byWarehouse.reduce((sum, each) => sum + each.availableQuantity, 0),
  }));
  return notifyOnce(
    tx,
    products.filter(({ availableQuantity, safetyStock }) => availableQuantity < safetyStock),
    claimLowStock,
  );
}

async function claimLowStock(
  tx: Tx,
  products: readonly (LowProduct & { availableQuantity: number })[],
): Promise<Notification[]> {
  const claimed = await insertLowStockNotices(
    tx,
    products.map(({ productCode }) => productCode),
  );
  return products
    .filter(({ productCode }) => claimed.has(productCode))
    .map(({ productCode, productName, availableQuantity, safetyStock, byWarehouse }) => ({
      type: 'inventory.low_stock',
      entity: { type: 'product', id: productCode },
      data: { productCode, productName, availableQuantity, safetyStock, byWarehouse },
    }));
}
