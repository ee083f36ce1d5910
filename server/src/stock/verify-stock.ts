import { readProductCodes } from '../catalogue/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { findStockDifference, findTallyDifference, type StockDifference } from './verify-stock.store.js';

export interface StockVerdict {
  ok: boolean;
  products: number;
  firstDifference: StockDifference | null;
}

const PRODUCTS_PER_BATCH = 500;

/** Recomputes balances, holds and serial counts from the rows behind them; reports the first difference. */
export async function verifyStock(
  database: Database,
  orgId: string,
  onProgress?: (products: number) => void,
): Promise<StockVerdict> {
  const principal = systemPrincipal(orgId, 'auditor@lotward.invalid');
  let after = '';
  let products = 0;
  for (;;) {
    const step = await transact(database, principal, async (tx) => {
      const codes = await readProductCodes(tx, after, PRODUCTS_PER_BATCH);
      return { codes, difference: codes.length > 0 ? await findStockDifference(tx, codes) : null };
    });
    products += step.codes.length;
    if (step.difference) return { ok: false, products, firstDifference: step.difference };
    onProgress?.(products);
    const last = step.codes.at(-1);
    if (last === undefined || step.codes.length < PRODUCTS_PER_BATCH) {
      const firstDifference = await transact(database, principal, findTallyDifference);
      return { ok: firstDifference === null, products, firstDifference };
    }
    after = last;
  }
}
