import type { Tx } from '../platform/database/index.js';
import { type ArrivedGoods, holdForRecall } from '../stock/index.js';
import { findRecallsOfArrival } from './recall-arrival.store.js';

/** Holds goods that arrive while they are recalled, as the recall held what was in stock before. */
export async function holdRecalledArrival(tx: Tx, arrived: ArrivedGoods): Promise<void> {
  const { productCode, batchNo } = arrived;
  for (const recall of await findRecallsOfArrival(tx, arrived)) {
    const serials = recall.serials.length > 0 ? recall.serials : undefined;
    await holdForRecall(tx, recall, { productCode, batchNo, serials }, true);
  }
}
