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
  /** Pieces in stock; not given: the whole batch, wherever it is and whatever of it comes later. */
  serials?: readonly string[] | undefined;
}

/** Blocks stock for a recall. The hold ends with the recall, and by nothing else. */
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

/** Refuses recalled goods by that name, at `path` of the one they were found in. */
export async function requireNotRecalled(
  tx: Tx,
  goods: readonly { path: string; productCode: string; batchNo: string; serials: readonly string[] }[],
): Promise<void> {
  const batches = await readRecalledBatches(tx, goods);
  const pieces = await readRecalledSerials(
    tx,
    goods.flatMap(({ productCode, serials }) => serials.map((serialNo) => ({ productCode, serialNo }))),
  );
  for (const { path, productCode, batchNo, serials } of goods) {
    if (batches.some((each) => each.productCode === productCode && each.batchNo === batchNo))
      throw refuseStock('batch_recalled', path, `batch ${batchNo} is recalled`);
    const piece = pieces.find((each) => each.productCode === productCode && serials.includes(each.serialNo));
    if (piece) throw refuseStock('batch_recalled', path, `serial ${piece.serialNo} is recalled`);
  }
}
