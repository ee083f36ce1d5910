import type { Tx } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';

/** Whether there is stock of any of these products. */
export const hasStockOfProducts = createHook<[tx: Tx, codes: readonly string[]], boolean>(
  'catalogue.hasStockOfProducts',
);

/** Whether there is stock of anything in this warehouse. */
export const hasStockInWarehouse = createHook<[tx: Tx, warehouse: string], boolean>(
  'catalogue.hasStockInWarehouse',
);
