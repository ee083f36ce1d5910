import type { Tx } from '../platform/database/index.js';
import { lockStockedProducts, saveBatchBalances, takeSerialsOut } from './balance.store.js';
import { movementOf } from './locate-stock.js';
import { appendMovements } from './movement.store.js';
import type { Allocation, FreeBatch } from './reservation.rules.js';
import {
  dropExpiredReservations,
  type Reservation,
  readFreeStock,
  readReservations,
  removeKnownReservations,
  removeReservations,
  saveReservations,
  UNASSIGNED,
} from './reservation.store.js';
import {
  type AssignedStock,
  type KnownSerials,
  readKnownSerials,
  type ShippableStock,
} from './shippable-stock.store.js';
import { refuseStock } from './stock.errors.js';
import type { Movement } from './stock.js';
import { requireSerialsPresent } from './stock.rules.js';
import { onAvailableDecreased } from './stock-hooks.js';

export interface LineQuantity {
  lineNo: number;
  quantity: number;
}

/** A quantity of one batch, picked for one line. */
export interface PickedBatch extends LineQuantity {
  productCode: string;
  batchNo: string;
  serials: readonly string[];
}

/** Locks the products of an order and those in `beside`; drops expired reservations and returns the others. */
async function lockReservations(
  tx: Tx,
  orderId: string,
  beside: readonly string[] = [],
): Promise<Reservation[]> {
  const reserved = (await readReservations(tx, orderId)).map((reservation) => reservation.productCode);
  const codes = [...new Set([...reserved, ...beside])].sort();
  await lockStockedProducts(tx, codes);
  await dropExpiredReservations(tx, codes);
  return readReservations(tx, orderId);
}

/**
 * Assigns reservations of an order to a dispatch, earliest expiry first. Returns the lines with too little reserved; then
 * nothing is assigned.
 */
export async function assignToDispatch(
  tx: Tx,
  orderId: string,
  dispatchId: string,
  wanted: readonly LineQuantity[],
): Promise<number[]> {
  const unassigned = (await lockReservations(tx, orderId)).filter((each) => each.dispatchId === UNASSIGNED);
  const assigned: Allocation[] = [];
  const kept: Allocation[] = [];
  const left = new Map(wanted.map((line) => [line.lineNo, line.quantity]));
  for (const reservation of unassigned) {
    const taken = Math.min(left.get(reservation.lineNo) ?? 0, reservation.quantity);
    left.set(reservation.lineNo, (left.get(reservation.lineNo) ?? 0) - taken);
    if (taken > 0) assigned.push({ ...reservation, quantity: taken });
    if (taken < reservation.quantity) kept.push({ ...reservation, quantity: reservation.quantity - taken });
  }
  const short = wanted.filter((line) => (left.get(line.lineNo) ?? 0) > 0).map((line) => line.lineNo);
  if (short.length > 0) return short;
  await removeReservations(tx, orderId, [UNASSIGNED]);
  await saveReservations(tx, kept, UNASSIGNED);
  await saveReservations(tx, assigned, dispatchId);
  return [];
}

/** Gives the reservations of a dispatch back to its order. */
export async function unassignFromDispatch(tx: Tx, orderId: string, dispatchId: string): Promise<void> {
  await lockReservations(tx, orderId);
  await saveReservations(tx, await removeReservations(tx, orderId, [dispatchId]), UNASSIGNED);
}

/** A line of a dispatch; `open` is the quantity of the order's line that is neither shipped nor closed. */
export interface DispatchedLine extends LineQuantity {
  productCode: string;
  open: number;
}

/**
 * Adapts the reservations of a dispatch to its picks: batches picked instead of reserved ones are reserved, and the others
 * freed. A reservation that is not picked yet stays. The order's unassigned reservations stay as far as they are still
 * needed, so that no line ever has more reserved than is open.
 */
export async function reserveAsPicked(
  tx: Tx,
  order: { orderId: string; warehouse: string },
  dispatchId: string,
  lines: readonly DispatchedLine[],
  picks: readonly PickedBatch[],
): Promise<void> {
  const codes = lines.map((line) => line.productCode);
  const before = await lockReservations(tx, order.orderId, codes);
  const unassigned = before.filter((each) => each.dispatchId === UNASSIGNED);
  const isHere = (each: Reservation) => lines.some((line) => line.lineNo === each.lineNo);
  await removeReservations(tx, order.orderId, [dispatchId, UNASSIGNED]);
  const elsewhere = unassigned.filter((each) => !isHere(each));
  await saveReservations(tx, elsewhere, UNASSIGNED);
  const free = await freeBatches(tx, order.warehouse, codes);
  const wanted = lines.flatMap((line) =>
    wantedOf(
      line,
      picks,
      before.filter((each) => each.dispatchId === dispatchId && each.lineNo === line.lineNo),
    ).map((each) => ({ ...order, ...each, lineNo: line.lineNo, productCode: line.productCode })),
  );
  for (const each of wanted) takeFree(free.get(batchKey(each)), each.batchNo, each.quantity);
  requireSerializedUnits(order.warehouse, picks, await readKnownSerials(tx, picks));
  const others = before.filter((each) => each.dispatchId !== dispatchId && each.dispatchId !== UNASSIGNED);
  const staying = lines.flatMap((line) => {
    const taken = sumOf([...wanted, ...others].filter((each) => each.lineNo === line.lineNo));
    return keepWithin(
      unassigned.filter((each) => each.lineNo === line.lineNo),
      line.open - taken,
      free,
    );
  });
  await saveReservations(tx, merge(wanted), dispatchId);
  await saveReservations(tx, staying, UNASSIGNED);
  const after = [...wanted, ...staying, ...elsewhere, ...others];
  await onAvailableDecreased(
    tx,
    codes.filter((code) => sumOf(after, code) > sumOf(before, code)),
  );
}

const sumOf = (items: readonly { productCode: string; quantity: number }[], productCode?: string): number =>
  items
    .filter((item) => productCode === undefined || item.productCode === productCode)
    .reduce((sum, item) => sum + item.quantity, 0);

async function freeBatches(
  tx: Tx,
  warehouse: string,
  codes: readonly string[],
): Promise<Map<string, FreeBatch>> {
  const places = [...new Set(codes)].map((productCode) => ({ productCode, warehouse }));
  const { batches } = await readFreeStock(tx, places);
  return new Map(batches.map((batch) => [batchKey(batch), batch]));
}

/** The reservations a line of the dispatch needs: its picks, and the unpicked part of its earlier reservations. */
function wantedOf(line: DispatchedLine, picks: readonly PickedBatch[], before: readonly Reservation[]) {
  const picked = picks
    .filter((pick) => pick.lineNo === line.lineNo)
    .map(({ batchNo, quantity }) => ({ batchNo, quantity }));
  const rest = line.quantity - picked.reduce((sum, pick) => sum + pick.quantity, 0);
  // A substitute batch keeps the reservation's place in the queue.
  const reservedAt = before.map((each) => each.reservedAt).sort((a, b) => a.getTime() - b.getTime())[0];
  return [...picked, ...keepUnpicked(before, picked, rest)].map((each) => ({ ...each, reservedAt }));
}

/** Keeps unassigned reservations up to the quantity the line still needs and the picks have left free. */
function keepWithin(
  unassigned: readonly Reservation[],
  quantityMax: number,
  free: ReadonlyMap<string, FreeBatch>,
): Reservation[] {
  let left = Math.max(0, quantityMax);
  return unassigned.flatMap((each) => {
    const batch = free.get(batchKey(each));
    const quantity = Math.min(left, each.quantity, batch?.free ?? 0);
    if (!batch || quantity === 0) return [];
    batch.free -= quantity;
    left -= quantity;
    return [{ ...each, quantity }];
  });
}

const batchKey = (batch: { productCode: string; batchNo: string }): string =>
  `${batch.productCode}\n${batch.batchNo}`;

function takeFree(batch: FreeBatch | undefined, batchNo: string, quantity: number): void {
  if (!batch || batch.free < quantity) {
    throw refuseStock(
      'insufficient_stock',
      '/picks',
      `only ${batch?.free ?? 0} of batch ${batchNo} can be picked`,
    );
  }
  batch.free -= quantity;
}

/** Keeps the unpicked part of reservations, up to `rest`, in the order in which they were made. */
function keepUnpicked(
  before: readonly Reservation[],
  picked: readonly { batchNo: string; quantity: number }[],
  rest: number,
) {
  let left = rest;
  return before.flatMap(({ batchNo, quantity }) => {
    const used = picked
      .filter((pick) => pick.batchNo === batchNo)
      .reduce((sum, pick) => sum + pick.quantity, 0);
    const kept = Math.min(left, Math.max(0, quantity - used));
    left -= kept;
    return kept > 0 ? [{ batchNo, quantity: kept }] : [];
  });
}

function merge(allocations: readonly Allocation[]): Allocation[] {
  const merged = new Map<string, Allocation>();
  for (const allocation of allocations) {
    const key = `${allocation.lineNo}\n${allocation.batchNo}`;
    const known = merged.get(key);
    merged.set(key, known ? { ...known, quantity: known.quantity + allocation.quantity } : allocation);
  }
  return [...merged.values()];
}

/** Refuses picked serialized units that are not in stock there, are of another batch, or are on hold. */
function requireSerializedUnits(
  warehouse: string,
  picks: readonly PickedBatch[],
  serialsOf: KnownSerials,
): void {
  for (const { productCode, batchNo, serials } of picks.filter((each) => each.serials.length > 0)) {
    const known = serialsOf.get(productCode) ?? new Map();
    const held = requireSerialsPresent(serials, known, batchNo, warehouse, '/picks').find(
      (unit) => unit.holds > 0,
    );
    if (held) throw refuseStock('stock_blocked', '/picks', `serial ${held.serialNo} is on hold`);
  }
}

export interface Shipment {
  order: { orderId: string; warehouse: string };
  dispatchId: string;
  picks: readonly PickedBatch[];
  document: Omit<Movement['document'], 'line'>;
  customerCode: string;
}

/**
 * Takes picked goods out of stock, which was read after the products were locked. Refused if any of them was blocked after
 * it was reserved.
 */
export async function shipStock(tx: Tx, stock: ShippableStock, shipment: Shipment): Promise<void> {
  const { order, dispatchId, picks } = shipment;
  requireReserved(stock.assigned, picks);
  requireSerializedUnits(order.warehouse, picks, stock.serials);
  removeKnownReservations(tx, order.orderId, dispatchId, stock.assigned);
  for (const { productCode, batchNo, balance } of balancesAfter(stock.assigned, picks))
    saveBatchBalances(tx, productCode, batchNo, [balance]);
  for (const pick of picks) takeSerialsOut(tx, pick.productCode, pick.serials);
  appendMovements(
    tx,
    picks.map((pick) =>
      movementOf(tx, {
        kind: 'dispatch',
        productCode: pick.productCode,
        warehouse: order.warehouse,
        batchNo: pick.batchNo,
        quantity: pick.quantity,
        quantityDelta: -pick.quantity,
        serials: [...pick.serials],
        document: { ...shipment.document, line: pick.lineNo },
        counterparty: { type: 'customer', code: shipment.customerCode },
      }),
    ),
  );
  const codes = [...new Set(picks.map((pick) => pick.productCode))];
  await Promise.all([dropExpiredReservations(tx, codes), onAvailableDecreased(tx, codes)]);
}

function requireReserved(assigned: readonly AssignedStock[], picks: readonly PickedBatch[]): void {
  for (const { lineNo, batchNo, quantity } of picks) {
    const reserved = assigned.find(
      (each) => each.lineNo === lineNo && each.batchNo === batchNo && !each.isExpired,
    );
    if ((reserved?.quantity ?? 0) < quantity) {
      throw refuseStock('stock_blocked', null, `batch ${batchNo} of line ${lineNo} may no longer be shipped`);
    }
  }
}

/** The balances of the picked batches, minus the goods and everything reserved for their dispatch. */
function balancesAfter(assigned: readonly AssignedStock[], picks: readonly PickedBatch[]) {
  const picked = new Set(picks.map(batchKey));
  return [...new Map(assigned.map((each) => [batchKey(each), each])).entries()]
    .filter(([key]) => picked.has(key))
    .map(([key, { productCode, batchNo, balance }]) => {
      const here = (each: { productCode: string; batchNo: string }) => batchKey(each) === key;
      const reserved = balance.reserved - sumOf(assigned.filter(here));
      const quantity = balance.quantity - sumOf(picks.filter(here));
      return { productCode, batchNo, balance: { ...balance, reserved, quantity } };
    });
}
