import { canonicalCode } from '@lotward/udi';
import { unknownProduct, unknownWarehouse, unknownWarehouses } from '../catalogue/index.js';
import { dayIn } from '../platform/calendar/index.js';
import { earliestAccepted, latestTold } from '../platform/clock/index.js';
import type { Tx } from '../platform/database/index.js';
import { type Issue, Refusal, refuseDate, unknownReference } from '../platform/errors/index.js';
import { newId } from '../platform/ids/index.js';
import { findBatch, lockStockedProducts } from './balance.store.js';
import { readBooks, readFirstMovement } from './books.store.js';
import { dropExpiredReservations } from './reservation.store.js';
import { refuseStock } from './stock.errors.js';
import type { Movement, StockedProduct } from './stock.js';
import { batchNoFor } from './stock.rules.js';

/** The product a body names, locked for the rest of the transaction. */
export const lockProductOf = (tx: Tx, productCode: string): Promise<StockedProduct> =>
  lockGoods(tx, { productCode, warehouses: {} });

/** What a body names: warehouses by the path at which it names them. */
export interface NamedGoods {
  productCode: string;
  warehouses: Readonly<Record<string, string>>;
  /** Set: the batch has to exist already. */
  knownBatch?: { batchNo: string | undefined };
}

/** Locks the product; refuses everything the body names that does not exist. */
export async function lockGoods(tx: Tx, named: NamedGoods): Promise<StockedProduct> {
  const code = canonicalCode(named.productCode);
  const product = (await lockStockedProducts(tx, [code])).get(code);
  const places = Object.entries(named.warehouses);
  const unknown = places.length > 0 ? await unknownWarehouses(tx, Object.values(named.warehouses)) : [];
  const issues = [
    ...(product ? [] : [unknownProduct('/productCode', named.productCode)]),
    ...places.flatMap(([path, at]) => (unknown.includes(at) ? [unknownWarehouse(path, at)] : [])),
    ...(product && named.knownBatch ? await batchIssues(tx, product, named.knownBatch.batchNo) : []),
  ];
  if (!product || issues.length > 0) throw new Refusal(issues);
  // Its stock is about to change: what has expired meanwhile is promised to nobody any more.
  await dropExpiredReservations(tx, [code]);
  return product;
}

async function batchIssues(tx: Tx, product: StockedProduct, given: string | undefined): Promise<Issue[]> {
  const { productCode } = product;
  const batchNo = batchNoFor(product, given);
  if (await findBatch(tx, productCode, batchNo)) return [];
  return [unknownBatch('/batchNo', productCode, batchNo)];
}

export const unknownBatch = (path: string, productCode: string, batchNo: string): Issue =>
  unknownReference(
    path,
    `Batch ${batchNo} of product ${productCode}`,
    'A batch comes into being when goods of it are received; check the number.',
  );

/** When it happened: not in the future, not before the books begin or the batch first moved; now when not given. */
export async function occurredAt(
  tx: Tx,
  batch: { productCode: string; batchNo: string },
  given: string | undefined,
): Promise<Date> {
  if (given === undefined) return tx.now;
  const at = new Date(given);
  if (at.getTime() > latestTold(tx.now)) throw refuseStock('in_the_future', '/occurredAt');
  await requireInBooks(tx, at, '/occurredAt');
  const first = await readFirstMovement(tx, batch.productCode, batch.batchNo);
  if (first !== null && at.getTime() < earliestAccepted(first))
    throw refuseDate(
      '/occurredAt',
      `${at.toISOString()} is before the first movement of the batch, ${first.toISOString()}`,
    );
  return at;
}

/** Refuses an instant before the day from which on the organization keeps books. */
export async function requireInBooks(tx: Tx, at: Date, path: string): Promise<void> {
  const { booksFrom, timeZone } = await readBooks(tx);
  if (dayIn(timeZone, at) < booksFrom)
    throw refuseDate(
      path,
      `${at.toISOString()} is before booksFrom (${booksFrom}). Correct it, or change booksFrom with PATCH /v2/settings.`,
    );
}

type Given = Pick<
  Movement,
  'kind' | 'productCode' | 'warehouse' | 'batchNo' | 'quantity' | 'quantityDelta' | 'document'
>;

/** A row for the ledger, with what the transaction itself knows filled in. */
export function movementOf(tx: Tx, given: Given & Partial<Movement>): Movement {
  return {
    movementId: newId('mov', tx.now),
    serials: [],
    counterparty: null,
    reason: null,
    unmatched: false,
    dispatchId: null,
    correction: null,
    occurredAt: tx.now,
    recordedAt: tx.now,
    actor: tx.actor,
    ...given,
  };
}
