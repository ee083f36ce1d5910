import type { Tx } from '../platform/database/index.js';
import { type ArrivedGoods, extendHoldsToRecall, holdForRecall } from '../stock/index.js';
import { type ArrivalRecall, findRecalledProducts, findRecallsOfArrival } from './recall-arrival.store.js';

/** One query for all of them: hardly any arrival is recalled. */
export async function holdRecalledArrivals(tx: Tx, arrived: readonly ArrivedGoods[]): Promise<void> {
  const recalled = await findRecalledProducts(tx, new Set(arrived.map((goods) => goods.productCode)));
  for (const goods of arrived) if (recalled.has(goods.productCode)) await holdRecalledArrival(tx, goods);
}

/** Puts arriving goods on hold if an open recall covers them, as its opening did with the stock. */
async function holdRecalledArrival(tx: Tx, arrived: ArrivedGoods): Promise<void> {
  const { productCode, batchNo, warehouse } = arrived;
  let holdIds = arrived.holdIds;
  for (const recall of await findRecallsOfArrival(tx, arrived)) {
    const serials = recalledSerials(recall, arrived);
    if (serials.length > 0) await holdForRecall(tx, recall, { productCode, batchNo, serials }, true);
    else if (recall.isNewBatch) await holdForRecall(tx, recall, { productCode, batchNo }, true);
    else if (holdIds.length > 0) await extendHoldsToRecall(tx, recall, holdIds);
    else {
      const { quantity } = arrived;
      holdIds = [await holdForRecall(tx, recall, { productCode, batchNo, warehouse, quantity }, true)];
    }
  }
}

/**
 * The arrived units to hold by number. If the recall has blocked the batch before, some of it may have been released since,
 * so only what has just arrived is held.
 */
function recalledSerials({ serials, isNewBatch }: ArrivalRecall, arrived: ArrivedGoods): readonly string[] {
  if (serials.length > 0) return serials;
  return isNewBatch ? [] : arrived.serials;
}
