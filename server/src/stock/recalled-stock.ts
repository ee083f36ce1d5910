import type { Tx } from '../platform/database/index.js';
import { holdStock } from './hold-stock.js';
import {
  type RecallName,
  readRecalledBatches,
  readRecalledSerials,
  saveRecallHold,
} from './recall-hold.store.js';
import { refuseStock } from './stock.errors.js';

export interface Recalled {
  productCode: string;
  batchNo: string;
  /** Serialized units in stock, or a quantity in one warehouse. Neither: the whole batch everywhere, later arrivals included. */
  serials?: readonly string[] | undefined;
  quantity?: number | undefined;
  warehouse?: string | undefined;
}

/** Blocks stock for a recall and returns the hold. It stays when the recall is closed. */
export async function holdForRecall(
  tx: Tx,
  recall: RecallName,
  stock: Recalled,
  uponArrival = false,
): Promise<string> {
  const reason = `recall ${recall.recallNo}`;
  const { holdId } = await holdStock(tx, { ...stock, reason, source: 'recall', uponArrival });
  await saveRecallHold(tx, recall.recallId, holdId);
  return holdId;
}

/**
 * Has goods that are on holds of their own blocked for a recall as well. Units are on hold by quantity once, however many have
 * a reason to block them.
 */
export async function extendHoldsToRecall(
  tx: Tx,
  recall: RecallName,
  holdIds: readonly string[],
): Promise<void> {
  for (const holdId of holdIds) await saveRecallHold(tx, recall.recallId, holdId);
}

/** Refuses recalled goods with the reason `batch_recalled`, at the `path` of the item concerned. */
export async function requireNotRecalled(
  tx: Tx,
  goods: readonly { path: string; productCode: string; batchNo: string; serials: readonly string[] }[],
): Promise<void> {
  const batches = await readRecalledBatches(tx, goods);
  const recalled = await readRecalledSerials(
    tx,
    goods.flatMap(({ productCode, serials }) => serials.map((serialNo) => ({ productCode, serialNo }))),
  );
  for (const { path, productCode, batchNo, serials } of goods) {
    if (batches.some((each) => each.productCode === productCode && each.batchNo === batchNo))
      throw refuseStock('batch_recalled', path, `batch ${batchNo} is recalled`);
    const unit = recalled.find((each) => each.productCode === productCode && serials.includes(each.serialNo));
    if (unit) throw refuseStock('batch_recalled', path, `serial ${unit.serialNo} is recalled`);
  }
}
