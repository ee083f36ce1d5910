import { unknownWarehouses } from '../catalogue/index.js';
import { dayIn } from '../platform/calendar/index.js';
import { earliestAccepted, latestTold } from '../platform/clock/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseDate, refuseReference } from '../platform/errors/index.js';
import { canonicalCode } from '../platform/gtin/index.js';
import { newId } from '../platform/ids/index.js';
import { lockStockedProducts } from './balance.store.js';
import { readBooks, readFirstMovement } from './books.store.js';
import { dropExpiredReservations } from './reservation.store.js';
import { refuseStock } from './stock.errors.js';
import type { Movement, StockedProduct } from './stock.js';

/** The product a body names, locked for the rest of the transaction. */
export async function lockProductOf(tx: Tx, productCode: string): Promise<StockedProduct> {
  const code = canonicalCode(productCode);
  const product = (await lockStockedProducts(tx, [code])).get(code);
  if (!product) throw refuseReference('/productCode', `product ${productCode}`);
  // Its stock is about to change: what has expired meanwhile is promised to nobody any more.
  await dropExpiredReservations(tx, [code]);
  return product;
}

/** Warehouses a body names, by the path at which it names them. */
export async function requireWarehouses(tx: Tx, named: Readonly<Record<string, string>>): Promise<void> {
  const unknown = await unknownWarehouses(tx, Object.values(named));
  for (const [path, code] of Object.entries(named)) {
    if (unknown.includes(code)) throw refuseReference(path, `warehouse ${code}`);
  }
}

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
    throw refuseDate(path, `${at.toISOString()} is before the books begin, ${booksFrom}`);
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
