import type { Tx } from '../platform/database/index.js';
import { holdBatches } from './hold-batches.js';
import { holdStock } from './hold-stock.js';
import {
  type RecallName,
  readRecalledBatches,
  readRecalledSerials,
  saveRecallHolds,
} from './recall-hold.store.js';
import type { RecalledBalance } from './recalled-balance.store.js';
import { refuseStock } from './stock.errors.js';

export interface Recalled {
  productCode: string;
  batchNo: string;
  /**
   * Serialized units in stock, or a quantity in one warehouse; if neither, the whole batch everywhere, including later
   * arrivals.
   */
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
  const reason = reasonOf(recall);
  const { holdId } = await holdStock(tx, { ...stock, reason, source: 'recall', uponArrival });
  saveRecallHolds(tx, recall.recallId, [holdId]);
  return holdId;
}

/** Blocks whole batches of a product for a recall, in every warehouse, including later arrivals. Returns the stock blocked now. */
export async function holdBatchesForRecall(
  tx: Tx,
  recall: RecallName,
  productCode: string,
  batchNos: readonly string[],
): Promise<Omit<RecalledBalance, 'recallId'>[]> {
  const { holds, goods } = await holdBatches(tx, {
    productCode,
    batchNos,
    reason: reasonOf(recall),
    source: 'recall',
  });
  saveRecallHolds(
    tx,
    recall.recallId,
    holds.map((hold) => hold.holdId),
  );
  return goods;
}

const reasonOf = ({ recallNo }: RecallName): string => `recall ${recallNo}`;

/** Extends existing holds of goods to a recall. Each unit is counted as on hold once, however many reasons block it. */
export async function extendHoldsToRecall(
  tx: Tx,
  recall: RecallName,
  holdIds: readonly string[],
): Promise<void> {
  saveRecallHolds(tx, recall.recallId, holdIds);
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
