import type { Tx } from '../platform/database/index.js';
import { lockStockedProducts } from './balance.store.js';
import { type Demand, FreeStock, type Reserved } from './reservation.rules.js';
import {
  dropExpiredReservations,
  readFreeStock,
  readReservations,
  removeReservations,
  saveReservations,
  UNASSIGNED,
} from './reservation.store.js';
import { onAvailableDecreased } from './stock-hooks.js';

/**
 * Promises stock to orders, earliest expiry first, each order wholly or not at all; answers what each was promised
 * and what it lacks (nothing: it was met). A constant number of statements, however many orders and lines.
 */
export async function reserveStock(tx: Tx, demands: readonly Demand[]): Promise<Reserved[]> {
  const places = new Map<string, { productCode: string; warehouse: string }>();
  for (const { warehouse, lines } of demands) {
    for (const { productCode } of lines)
      places.set(`${productCode}\n${warehouse}`, { productCode, warehouse });
  }
  const codes = [...new Set([...places.values()].map((place) => place.productCode))].sort();
  if (codes.length === 0) return demands.map(() => ({ allocations: [], short: [] }));
  await lockStockedProducts(tx, codes);
  const { batches, withExpiredPromises } = await readFreeStock(tx, [...places.values()]);
  // They free nothing that could be promised again, but what is blocked is promised to nobody.
  if (withExpiredPromises.length > 0) await dropExpiredReservations(tx, withExpiredPromises);
  const free = new FreeStock(batches);
  const outcomes = demands.map((demand) => free.meet(demand));
  const allocations = outcomes.flatMap((outcome) => outcome.allocations);
  await saveReservations(tx, allocations, UNASSIGNED);
  await onAvailableDecreased(
    tx,
    allocations.map((allocation) => allocation.productCode),
  );
  return outcomes;
}

/** Frees what an order was promised and no dispatch has taken up. The order is locked, so nothing is added meanwhile. */
export async function giveBackReservations(tx: Tx, orderId: string): Promise<void> {
  const codes = new Set((await readReservations(tx, orderId)).map((reservation) => reservation.productCode));
  await lockStockedProducts(tx, [...codes].sort());
  await removeReservations(tx, orderId, [UNASSIGNED]);
}
