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
import { holdForRecall, lockProductOf, type Recalled, unknownBatch } from '../stock/index.js';
import { readRecall } from './load-recall.js';
import { refuseRecall } from './recall.errors.js';
import type { Recall, RecallStanding } from './recall.js';
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
  /** Neither: the whole product, also batches that come later. */
  batchNos?: readonly string[] | undefined;
  serials?: readonly string[] | undefined;
  class: Recall['class'];
  reason: string;
}

/**
 * Blocks what is recalled wherever it stands, and stops the dispatches it is in. Whatever changes that stock waits for
 * the product: a dispatch has either left before, and is in the ledger, or cannot leave any more.
 */
export async function openRecall(tx: Tx, input: RecallRequest): Promise<RecallStanding> {
  const extent = extentOf(input);
  const productCode = canonicalCode(input.productCode);
  // Orders are locked before products. Which ones, is certain only with the product: the few dispatches that were opened
  // while we waited are locked after it, and if that makes a circle, the database ends it and we begin again.
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
  const stock = await stockOf(tx, recall, input);
  if (!(await saveNewRecall(tx, recall))) throw refuseRecall('recall_exists', '/recallNo');
  for (const each of stock) await holdForRecall(tx, recall, each);
  await stopAll(tx, recall, open);
  const opened = await readRecall(tx, recall.recallId);
  await recordAudit(tx, {
    action: 'recall.open',
    entityType: 'recall',
    entityId: recall.recallId,
    reason: input.reason,
    after: auditedOf(opened),
  });
  return opened;
}

/** What is to be held now. What comes later is held when it comes. */
async function stockOf(tx: Tx, recall: NewRecall, input: RecallRequest): Promise<Recalled[]> {
  const { productCode, extent } = recall;
  if (extent === 'serials') return piecesOf(tx, productCode, input.serials ?? []);
  if (extent === 'batches') {
    const known = await readKnownBatches(tx, productCode, recall.batchNos);
    refuseAny(
      unknownAmong(input.batchNos ?? [], known, '/batchNos').map(({ path, no }) =>
        unknownBatch(path, productCode, no),
      ),
    );
  }
  const batchNos = extent === 'batches' ? recall.batchNos : await readStockedBatches(tx, productCode);
  return batchNos.map((batchNo) => ({ productCode, batchNo }));
}

async function piecesOf(tx: Tx, productCode: string, serials: readonly string[]): Promise<Recalled[]> {
  const known = await readKnownSerials(tx, productCode, serials);
  const numbers = new Set(known.map((piece) => piece.serialNo));
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
  for (const { batchNo, serialNo } of known.filter((piece) => piece.inStock)) {
    const pieces = byBatch.get(batchNo);
    if (pieces) pieces.push(serialNo);
    else byBatch.set(batchNo, [serialNo]);
  }
  return [...byBatch].map(([batchNo, pieces]) => ({ productCode, batchNo, serials: pieces }));
}

const unknownAmong = (named: readonly string[], known: ReadonlySet<string>, path: string) =>
  named.flatMap((no, i) => (known.has(no) ? [] : [{ path: `${path}/${i}`, no }]));

/** `open` as they were before anything was held, with what was promised to them. */
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
