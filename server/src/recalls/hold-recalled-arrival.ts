import type { Tx } from '../platform/database/index.js';
import { type ArrivedGoods, holdForRecall } from '../stock/index.js';
import { findRecallsOfArrival } from './recall-arrival.store.js';

/** Puts arriving goods on hold if an open recall covers them, as the recall did with the stock at its opening. */
export async function holdRecalledArrival(tx: Tx, arrived: ArrivedGoods): Promise<void> {
  const { productCode, batchNo } = arrived;
  for (const recall of await findRecallsOfArrival(tx, arrived)) {
    const serials = recall.serials.length > 0 ? recall.serials : undefined;
    await holdForRecall(tx, recall, { productCode, batchNo, serials }, true);
  }
}
