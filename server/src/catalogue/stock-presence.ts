import type { Tx } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';

/** Returns whether any of these products has stock. */
export const hasStockOfProducts = createHook<[tx: Tx, codes: readonly string[]], boolean>(
  'catalogue.hasStockOfProducts',
);

/** Returns whether the warehouse has any stock. */
export const hasStockInWarehouse = createHook<[tx: Tx, warehouse: string], boolean>(
  'catalogue.hasStockInWarehouse',
);
