import type { Tx } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';
import type { Product } from './product.js';

export interface ProductChange {
  before: Product;
  after: Product;
}

/** Called in the transaction that replaces products, once they are saved. */
export const onProductsReplaced = createHook<[tx: Tx, changes: readonly ProductChange[]]>(
  'catalogue.onProductsReplaced',
);

/** Returns the codes of the products that the overview counts as below their safety stock. */
export const readLowProducts = createHook<[tx: Tx], readonly string[]>('catalogue.readLowProducts');
