import { canonicalCode } from '@lotward/udi';
import { unknownProduct, unknownWarehouse, unknownWarehouses } from '../catalogue/index.js';
import { dayIn } from '../platform/calendar/index.js';
import { earliestAccepted, maxAcceptedTimestamp } from '../platform/clock/index.js';
import type { Tx } from '../platform/database/index.js';
import { type Issue, Refusal, refuseDate, unknownReference } from '../platform/errors/index.js';
import { newId } from '../platform/ids/index.js';
import { findBatch, lockStockedProducts } from './balance.store.js';
import { type Books, readBooks, readFirstMovement } from './books.store.js';
import { findHold } from './hold.store.js';
import { dropExpiredReservations } from './reservation.store.js';
import { refuseStock } from './stock.errors.js';
import type { Batch, Movement, StockedProduct } from './stock.js';
import { batchNoFor } from './stock.rules.js';

/** Locks the product for the rest of the transaction. */
export const lockProductOf = (tx: Tx, productCode: string): Promise<StockedProduct> =>
  lockGoods(tx, { productCode, warehouses: {} });

/** The goods a request body names; warehouses are keyed by their path in it. */
export interface NamedGoods {
  productCode: string;
  warehouses: Readonly<Record<string, string>>;
  /** If set, the batch must exist. */
  knownBatch?: { batchNo: string | undefined };
  /** If set, the hold must exist. */
  holdId?: string | undefined;
}

/** Locks the product. Refuses unknown products, warehouses and batches together. */
export async function lockGoods(tx: Tx, named: NamedGoods): Promise<StockedProduct> {
  const code = canonicalCode(named.productCode);
  const places = Object.entries(named.warehouses);
  // The stock is about to change, so reservations of expired batches no longer count.
  const [locked, unknown, batch, hold] = await Promise.all([
    lockStockedProducts(tx, [code]),
    places.length > 0 ? unknownWarehouses(tx, Object.values(named.warehouses)) : ([] as string[]),
    named.knownBatch ? findBatch(tx, code, named.knownBatch.batchNo ?? '') : null,
    named.holdId === undefined ? null : findHold(tx, named.holdId),
    dropExpiredReservations(tx, [code]),
  ]);
  const product = locked.get(code);
  const issues = [
    ...(product ? [] : [unknownProduct('/productCode', named.productCode)]),
    ...places.flatMap(([path, at]) => (unknown.includes(at) ? [unknownWarehouse(path, at)] : [])),
    ...(product && named.knownBatch ? batchIssues(product, named.knownBatch.batchNo, batch) : []),
    ...(named.holdId === undefined || hold ? [] : [unknownHold(named.holdId)]),
  ];
  if (!product || issues.length > 0) throw new Refusal(issues);
  return product;
}

function batchIssues(product: StockedProduct, given: string | undefined, known: Batch | null): Issue[] {
  try {
    const batchNo = batchNoFor(product, given);
    return known ? [] : [unknownBatch('/batchNo', product.productCode, batchNo)];
  } catch (error) {
    // Reported together with the unknown warehouses of the same body.
    if (error instanceof Refusal) return [...error.issues];
    throw error;
  }
}

const unknownHold = (holdId: string): Issue =>
  unknownReference('/holdId', `Hold ${holdId}`, 'List the holds of the batch with GET /v2/stock/holds.');

export const unknownBatch = (path: string, productCode: string, batchNo: string): Issue =>
  unknownReference(
    path,
    `Batch ${batchNo} of product ${productCode}`,
    'Receiving goods of a batch creates it. Check the batch number.',
  );

/** Defaults to now. Refused in the future, before the books begin, and before the first movement of the batch. */
export async function occurredAt(
  tx: Tx,
  batch: { productCode: string; batchNo: string },
  given: string | undefined,
): Promise<Date> {
  if (given === undefined) return tx.now;
  const [books, first] = await Promise.all([
    readBooks(tx),
    readFirstMovement(tx, batch.productCode, batch.batchNo),
  ]);
  return requireInstant(tx, given, books, first);
}

/** Like `occurredAt`, for books and a first movement that the caller has read. */
export function requireInstant(
  tx: Tx,
  given: string | undefined,
  books: Books | null,
  first: Date | null,
): Date {
  if (given === undefined) return tx.now;
  const at = new Date(given);
  if (at.getTime() > maxAcceptedTimestamp(tx.now)) throw refuseStock('in_the_future', '/occurredAt');
  if (books) refuseBefore(books, at, '/occurredAt');
  if (first !== null && at.getTime() < earliestAccepted(first))
    throw refuseDate(
      '/occurredAt',
      `${at.toISOString()} is before the first movement of the batch, ${first.toISOString()}`,
    );
  return at;
}

/** Refuses an instant before `booksFrom`, the first day of the organization's books. */
export async function requireInBooks(tx: Tx, at: Date, path: string): Promise<void> {
  refuseBefore(await readBooks(tx), at, path);
}

function refuseBefore({ booksFrom, timeZone }: Books, at: Date, path: string): void {
  if (dayIn(timeZone, at) < booksFrom)
    throw refuseDate(
      path,
      `${at.toISOString()} is before booksFrom (${booksFrom}). Correct it, or change booksFrom with PATCH /v2/settings.`,
    );
}

type RequiredFields = Pick<
  Movement,
  'kind' | 'productCode' | 'warehouse' | 'batchNo' | 'quantity' | 'quantityDelta' | 'document'
>;

/** A ledger row; the transaction supplies time, actor and id. */
export function movementOf(tx: Tx, given: RequiredFields & Partial<Movement>): Movement {
  return {
    movementId: newId('mov', tx.now),
    serials: [],
    counterparty: null,
    reason: null,
    unmatched: false,
    dispatchId: null,
    holdId: null,
    correction: null,
    occurredAt: tx.now,
    recordedAt: tx.now,
    actor: tx.actor,
    ...given,
  };
}
