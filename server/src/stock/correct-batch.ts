import { canonicalCode } from '@lotward/udi';
import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { invalid } from '../platform/http/index.js';
import { newId } from '../platform/ids/index.js';
import { businessDay } from '../platform/principal.js';
import { findBatch, lockStockedProducts, readBalances, saveBatchDates } from './balance.store.js';
import { requireBatchDates } from './batch-dates.rules.js';
import { readBooks, readFirstMovement } from './books.store.js';
import { readLatestWarehouse, saveCorrection } from './correction.store.js';
import { type HoldingCustomer, readHoldingCustomers } from './customer-holdings.store.js';
import { movementOf } from './locate-stock.js';
import { appendMovements } from './movement.store.js';
import type { Allocation } from './reservation.rules.js';
import { dropExpiredReservations, dropTooShortReservations } from './reservation.store.js';
import { refuseStock } from './stock.errors.js';
import type { Batch, BatchChange } from './stock.js';
import { onAvailableDecreased, onExpiryCorrected } from './stock-hooks.js';

export interface CorrectionRequest {
  productCode: string;
  batchNo: string;
  /** Omitted: unchanged. Null: no expiry, or unknown. */
  expiryDate?: string | null | undefined;
  manufactureDate?: string | null | undefined;
  reason: string;
}

export interface Correction extends Batch {
  correctionId: string;
  before: Pick<Batch, 'expiryDate' | 'manufactureDate'>;
  reason: string;
  correctedAt: Date;
  correctedBy: string;
  /** Customers who received the batch under the old dates and still hold some of it. */
  customers: HoldingCustomer[];
  releasedReservations: Allocation[];
}

/**
 * Corrects the dates of a batch everywhere at the same time: stock reads them from the batch. Accepted documents keep their
 * dates. Reservations that no longer fit are dropped, as by a hold; their orders then have a shortage.
 */
export async function correctBatch(tx: Tx, request: CorrectionRequest): Promise<Correction> {
  if (request.expiryDate === undefined && request.manufactureDate === undefined)
    throw invalid('required', '/expiryDate', 'Give expiryDate, manufactureDate, or both.');
  const productCode = canonicalCode(request.productCode);
  await lockStockedProducts(tx, [productCode]);
  const before = await findBatch(tx, productCode, request.batchNo);
  if (!before) throw missing('batch', 'batchNo');
  const after: Batch = {
    ...before,
    expiryDate: request.expiryDate === undefined ? before.expiryDate : request.expiryDate,
    manufactureDate: request.manufactureDate === undefined ? before.manufactureDate : request.manufactureDate,
  };
  const change: BatchChange = {
    expiryDate: { before: before.expiryDate, after: after.expiryDate },
    manufactureDate: { before: before.manufactureDate, after: after.manufactureDate },
  };
  if (Object.values(change).every((each) => each.before === each.after)) throw refuseStock('no_change', null);
  requireBatchDates(after, await dayOfReceipt(tx, before));
  // Dropped first, because the correction does not cause the loss of reservations that expired under the old date.
  await dropExpiredReservations(tx, [productCode]);
  saveBatchDates(tx, after);
  const releasedReservations = [
    ...(await dropExpiredReservations(tx, [productCode])),
    ...(await dropTooShortReservations(tx, after, before.expiryDate)),
  ];
  const correctionId = newId('cor', tx.now);
  const { batchNo, reason } = request;
  await saveCorrection(tx, { correctionId, productCode, batchNo, change, reason });
  await appendCorrection(tx, after, { correctionId, change, reason });
  if (after.expiryDate !== before.expiryDate) await onExpiryCorrected(tx, after);
  await onAvailableDecreased(tx, [productCode]);
  await recordAudit(tx, {
    action: 'stock.correct_batch',
    entityType: 'batch',
    entityId: `${productCode}/${batchNo}`,
    reason,
    before,
    after: { ...after, correctionId, releasedReservations },
  });
  return {
    ...after,
    correctionId,
    before: { expiryDate: before.expiryDate, manufactureDate: before.manufactureDate },
    reason,
    correctedAt: tx.now,
    correctedBy: tx.actor,
    customers: await readHoldingCustomers(tx, productCode, batchNo),
    releasedReservations,
  };
}

async function dayOfReceipt(tx: Tx, { productCode, batchNo }: Batch): Promise<string> {
  const first = await readFirstMovement(tx, productCode, batchNo);
  return first === null ? tx.today : businessDay(await readBooks(tx), first);
}

/** A correction moves nothing, but the ledger shows it in each warehouse with stock, or else in the last one. */
async function appendCorrection(
  tx: Tx,
  { productCode, batchNo }: Batch,
  { correctionId, change, reason }: { correctionId: string; change: BatchChange; reason: string },
): Promise<void> {
  const stocked = (await readBalances(tx, productCode, batchNo)).filter((balance) => balance.quantity > 0);
  const latest = stocked.length > 0 ? null : await readLatestWarehouse(tx, productCode, batchNo);
  const places = latest === null ? stocked : [{ warehouse: latest, quantity: 0 }];
  if (places.length === 0) return;
  appendMovements(
    tx,
    places.map(({ warehouse, quantity }) =>
      movementOf(tx, {
        kind: 'correction',
        productCode,
        warehouse,
        batchNo,
        quantity,
        quantityDelta: 0,
        document: { type: 'correction', id: correctionId, no: null, line: null },
        reason,
        correction: change,
      }),
    ),
  );
}
