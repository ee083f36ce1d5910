import type { Tx } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';
import type { Hold, Movement } from './stock.js';

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
  warehouse: string;
  quantity: number;
  serials: readonly string[];
  /** The holds that the arrival itself put on exactly these goods, such as those of a return. */
  holdIds: readonly string[];
}

/** Called in the transaction of everything that brings goods into stock, once their movements are written. */
export const onArrivals = createHook<[tx: Tx, arrived: readonly ArrivedGoods[]], void>('stock.onArrivals');

/**
 * Returns whether a disposition that is neither executed nor rejected, other than `except`, names the hold. Until then, the
 * goods stay where they are, under the hold.
 */
export const isHoldInDisposition = createHook<[tx: Tx, holdId: string, except?: string], boolean>(
  'stock.isHoldInDisposition',
);

/** A return that has just been put on hold because, according to the ledger, its customer did not hold it. */
export interface UnmatchedGoods {
  hold: Hold;
  warehouse: string;
  document: Movement['document'];
  customerCode: string;
}

/** Called once the hold of an unmatched return is written. */
export const onUnmatchedHeld = createHook<[tx: Tx, goods: UnmatchedGoods], void>('stock.onUnmatchedHeld');

/** Units of an entry of the register that left their hold without a disposition of the entry. */
export interface HoldReduction {
  ncId: string;
  quantity: number;
  /** `disposed`: by a disposition of another hold of the same units. */
  cause: 'released' | 'adjusted' | 'disposed';
}

export const onHoldReduced = createHook<[tx: Tx, reduction: HoldReduction], void>('stock.onHoldReduced');

export interface OrderLineKey {
  orderId: string;
  lineNo: number;
}

/** Days of shelf life that lines of orders require; lines without a requirement are left out. */
export const readRequiredShelfLife = createHook<
  [tx: Tx, lines: readonly OrderLineKey[]],
  readonly (OrderLineKey & { days: number })[]
>('stock.readRequiredShelfLife');
