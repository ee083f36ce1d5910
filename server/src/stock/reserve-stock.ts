import type { Tx } from '../platform/database/index.js';
import { lockStockedProducts } from './balance.store.js';
import { type Demand, FreeStock, type Reserved } from './reservation.rules.js';
import {
  dropExpiredReservations,
  type ReservableStock,
  readFreeStock,
  readReservations,
  removeReservations,
  saveReservations,
  UNASSIGNED,
} from './reservation.store.js';
import { onAvailableDecreased } from './stock-hooks.js';

/**
 * Reserves stock for orders, earliest expiry first, each order in full or not at all. Returns the allocations and the
 * missing quantities of each. Takes a constant number of statements for any number of orders and lines.
 */
export async function reserveStock(tx: Tx, demands: readonly Demand[]): Promise<Reserved[]> {
  const places = new Map<string, { productCode: string; warehouse: string }>();
  for (const { warehouse, lines } of demands) {
    for (const { productCode } of lines)
      places.set(`${productCode}\n${warehouse}`, { productCode, warehouse });
  }
  const codes = [...new Set([...places.values()].map((place) => place.productCode))].sort();
  if (codes.length === 0) return demands.map(() => ({ allocations: [], short: [] }));
  const [, stock] = await Promise.all([
    lockStockedProducts(tx, codes),
    readFreeStock(tx, [...places.values()]),
  ]);
  return reserveFrom(tx, stock, demands);
}

/** The same from stock that was read after its products were locked. */
export async function reserveFrom(
  tx: Tx,
  { batches, withExpiredPromises }: ReservableStock,
  demands: readonly Demand[],
): Promise<Reserved[]> {
  // Dropping them frees no sellable stock, but expired stock must not count as reserved.
  if (withExpiredPromises.length > 0) await dropExpiredReservations(tx, withExpiredPromises);
  const free = new FreeStock(batches);
  const outcomes = demands.map((demand) => free.allocate(demand));
  const allocations = outcomes.flatMap((outcome) => outcome.allocations);
  await saveReservations(tx, allocations, UNASSIGNED);
  await onAvailableDecreased(
    tx,
    allocations.map((allocation) => allocation.productCode),
  );
  return outcomes;
}

/** Frees the reservations of an order that no dispatch uses. The order is locked, so none is added meanwhile. */
export async function releaseReservations(tx: Tx, orderId: string): Promise<void> {
  const codes = new Set((await readReservations(tx, orderId)).map((reservation) => reservation.productCode));
  await lockStockedProducts(tx, [...codes].sort());
  await removeReservations(tx, orderId, [UNASSIGNED]);
}
