import { canonicalCode } from '@lotward/udi';
import { recordAudit } from '../audit/index.js';
import {
  type Dispatch,
  lockOpenDispatches,
  stopDispatch,
  type Withdrawal,
  withdrawnQuantity,
} from '../dispatching/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseAny, unknownReference } from '../platform/errors/index.js';
import { newId } from '../platform/ids/index.js';
import { holdBatchesForRecall, holdForRecall, lockProductOf, unknownBatch } from '../stock/index.js';
import { readNewRecall } from './load-recall.js';
import { publishRecall } from './publish-recall.js';
import { refuseRecall } from './recall.errors.js';
import type { AffectedStock, Recall, RecallStanding } from './recall.js';
import { auditedOf, extentOf } from './recall.rules.js';
import {
  type NewRecall,
  readKnownBatches,
  readKnownSerials,
  readStockedBatches,
  saveNewRecall,
  saveStoppedDispatches,
} from './recall.store.js';

export interface RecallRequest {
  recallNo: string;
  productCode: string;
  /** Without batches and serial numbers, the recall covers the whole product, including batches received later. */
  batchNos?: readonly string[] | undefined;
  serials?: readonly string[] | undefined;
  class: Recall['class'];
  reason: string;
}

/**
 * Blocks recalled stock in every warehouse and stops the dispatches that contain it. The product lock serializes this with
 * all other stock changes: a dispatch has either left before, and is in the ledger, or can no longer leave.
 */
export async function openRecall(tx: Tx, input: RecallRequest): Promise<RecallStanding> {
  const extent = extentOf(input);
  const productCode = canonicalCode(input.productCode);
  // Orders are locked before products, but which orders is certain only under the product lock. Dispatches opened in
  // between are locked after it; if that deadlocks, the database aborts one transaction and it is retried.
  await lockOpenDispatches(tx, productCode);
  await lockProductOf(tx, input.productCode);
  const open = await lockOpenDispatches(tx, productCode);
  const recall: NewRecall = {
    recallId: newId('rcl', tx.now),
    recallNo: input.recallNo,
    productCode,
    extent,
    class: input.class,
    reason: input.reason,
    batchNos: [...(input.batchNos ?? [])].sort(),
    serials: [...(input.serials ?? [])].sort(),
  };
  const hold = await stockToHold(tx, recall, input);
  if (!(await saveNewRecall(tx, recall))) throw refuseRecall('recall_exists', '/recallNo');
  const goods = await hold();
  await stopAll(tx, recall, open);
  const opened = await readNewRecall(tx, recall.recallId, goods);
  await recordAudit(tx, {
    action: 'recall.open',
    entityType: 'recall',
    entityId: recall.recallId,
    reason: input.reason,
    after: auditedOf(opened),
  });
  await publishRecall(tx, 'recall.opened', opened);
  return opened;
}

/**
 * Finds the stock to hold now. Returns the function that holds it and returns the stock then blocked, or null where that is still to be
 * read. Goods that arrive later are held on arrival.
 */
async function stockToHold(
  tx: Tx,
  recall: NewRecall,
  input: RecallRequest,
): Promise<() => Promise<AffectedStock[] | null>> {
  const { productCode, extent } = recall;
  if (extent === 'serials') {
    const units = await readRecalledUnits(tx, productCode, input.serials ?? []);
    return async () => {
      for (const [batchNo, serials] of units)
        await holdForRecall(tx, recall, { productCode, batchNo, serials });
      return null;
    };
  }
  if (extent === 'batches') {
    const known = await readKnownBatches(tx, productCode, recall.batchNos);
    refuseAny(
      unknownAmong(input.batchNos ?? [], known, '/batchNos').map(({ path, no }) =>
        unknownBatch(path, productCode, no),
      ),
    );
  }
  const batchNos = extent === 'batches' ? recall.batchNos : await readStockedBatches(tx, productCode);
  return () => holdBatchesForRecall(tx, recall, productCode, batchNos);
}

/** The units in stock, by batch. */
async function readRecalledUnits(
  tx: Tx,
  productCode: string,
  serials: readonly string[],
): Promise<Map<string, string[]>> {
  const known = await readKnownSerials(tx, productCode, serials);
  const numbers = new Set(known.map((unit) => unit.serialNo));
  refuseAny(
    unknownAmong(serials, numbers, '/serials').map(({ path, no }) =>
      unknownReference(
        path,
        `Serial number ${no} of product ${productCode}`,
        'A serial number is known once goods with it are received; check the number.',
      ),
    ),
  );
  const byBatch = new Map<string, string[]>();
  for (const { batchNo, serialNo } of known.filter((unit) => unit.inStock)) {
    const units = byBatch.get(batchNo);
    if (units) units.push(serialNo);
    else byBatch.set(batchNo, [serialNo]);
  }
  return byBatch;
}

const unknownAmong = (named: readonly string[], known: ReadonlySet<string>, path: string) =>
  named.flatMap((no, i) => (known.has(no) ? [] : [{ path: `${path}/${i}`, no }]));

/** `open` contains the dispatches as they were before the holds, with their reservations. */
async function stopAll(tx: Tx, recall: NewRecall, open: readonly Dispatch[]): Promise<void> {
  const batchNos = new Set(recall.batchNos);
  const withdrawal: Withdrawal = {
    productCode: recall.productCode,
    coversBatch: (batchNo) => recall.extent !== 'batches' || batchNos.has(batchNo),
    serials: recall.extent === 'serials' ? new Set(recall.serials) : null,
  };
  const concerned = open
    .map((dispatch) => ({ dispatch, quantity: withdrawnQuantity(dispatch, withdrawal) }))
    .filter(({ quantity }) => quantity > 0);
  for (const { dispatch } of concerned)
    await stopDispatch(tx, dispatch, withdrawal, `recall ${recall.recallNo}`);
  await saveStoppedDispatches(
    tx,
    recall.recallId,
    concerned.map(({ dispatch, quantity }) => ({ dispatchId: dispatch.dispatchId, quantity })),
  );
}
