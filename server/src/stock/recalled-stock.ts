import type { Tx } from '../platform/database/index.js';
import { holdStock } from './hold-stock.js';
import {
  activeHoldsOfRecall,
  type RecallName,
  readRecalledBatches,
  readRecalledSerials,
  saveRecallHold,
} from './recall-hold.store.js';
import { releaseOwnedHold } from './release-hold.js';
import { refuseStock } from './stock.errors.js';

export interface Recalled {
  productCode: string;
  batchNo: string;
  /** Serialized units in stock. Omitted: the whole batch in every warehouse, later arrivals included. */
  serials?: readonly string[] | undefined;
}

/** Blocks stock for a recall. No caller releases the hold: it ends with the recall or by an executed disposition. */
export async function holdForRecall(
  tx: Tx,
  recall: RecallName,
  stock: Recalled,
  uponArrival = false,
): Promise<void> {
  const reason = `recall ${recall.recallNo}`;
  const hold = await holdStock(tx, { ...stock, reason, source: 'recall', uponArrival });
  await saveRecallHold(tx, recall.recallId, hold.holdId);
}

export async function releaseHoldsOfRecall(tx: Tx, recallId: string, reason: string): Promise<void> {
  for (const holdId of await activeHoldsOfRecall(tx, recallId)) await releaseOwnedHold(tx, holdId, reason);
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
