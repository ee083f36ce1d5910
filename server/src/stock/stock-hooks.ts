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

export interface ArrivedGoods {
  productCode: string;
  batchNo: string;
  serials: readonly string[];
}

/** Called in the transaction of everything that brings goods into stock, once their movement is written. */
export const onArrival = createHook<[tx: Tx, arrived: ArrivedGoods], void>('stock.onArrival');

/**
 * Returns whether a disposition that is neither executed nor rejected names the hold. Until it is, the goods stay where they are,
 * under the hold.
 */
export const isHoldInDisposition = createHook<[tx: Tx, holdId: string], boolean>('stock.isHoldInDisposition');

export interface OrderLineKey {
  orderId: string;
  lineNo: number;
}

/** Days of shelf life that lines of orders require; lines without a requirement are left out. */
export const readRequiredShelfLife = createHook<
  [tx: Tx, lines: readonly OrderLineKey[]],
  readonly (OrderLineKey & { days: number })[]
>('stock.readRequiredShelfLife');
