import type { Tx } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';

/** Called in the transaction of every change that can lower the available quantity of products. */
export const onAvailableDecreased = createHook<[tx: Tx, productCodes: readonly string[]]>(
  'stock.onAvailableDecreased',
);

/** Called in the transaction of every change that adds to stock. */
export const onStockAdded = createHook<[tx: Tx, productCodes: readonly string[]]>('stock.onStockAdded');

/** Called in the transaction that corrects the expiry date of a batch. */
export const onExpiryCorrected =
  createHook<[tx: Tx, batch: { productCode: string; batchNo: string }]>('stock.onExpiryCorrected');
