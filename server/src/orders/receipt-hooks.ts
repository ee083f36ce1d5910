import type { Tx } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';

/** Goods on a receipt that waits for acceptance. */
export interface IncomingGoods {
  receiptId: string;
  receiptNo: string;
  productCode: string;
  batchNo: string;
  expiryDate: string | null;
  quantity: number;
}

/** Purchases of these products that wait for acceptance in a warehouse. */
export const readIncomingGoods = createHook<
  [tx: Tx, productCodes: readonly string[], warehouse: string],
  readonly IncomingGoods[]
>('orders.readIncomingGoods');
