import type { Tx } from '../platform/database/index.js';
import {
  lockStockedProducts,
  readBalance,
  readSerials,
  saveBatchBalances,
  takeSerialsOut,
} from './balance.store.js';
import { movementOf } from './locate-stock.js';
import { appendMovements } from './movement.store.js';
import type { Allocation, FreeBatch } from './reservation.rules.js';
import {
  dropExpiredReservations,
  type Reservation,
  readFreeStock,
  readReservations,
  removeReservations,
  saveReservations,
  UNASSIGNED,
} from './reservation.store.js';
import { refuseStock } from './stock.errors.js';
import type { Movement } from './stock.js';
import { requireSerialsPresent } from './stock.rules.js';
import { onAvailableDecreased } from './stock-hooks.js';

/** A number of pieces of one line, and of one batch once it is known which. */
export interface LineQuantity {
  lineNo: number;
  quantity: number;
}
export interface Pick extends LineQuantity {
  productCode: string;
  batchNo: string;
  serials: readonly string[];
}

/**
 * The promises an order holds that can still be kept, its products (and those named beside) locked: expired ones are
 * dropped first.
 */
async function lockReservations(
  tx: Tx,
  orderId: string,
  beside: readonly string[] = [],
): Promise<Reservation[]> {
  const promised = (await readReservations(tx, orderId)).map((reservation) => reservation.productCode);
  const codes = [...new Set([...promised, ...beside])].sort();
  await lockStockedProducts(tx, codes);
  await dropExpiredReservations(tx, codes);
  return readReservations(tx, orderId);
}

/** Hands promises of an order over to a dispatch, earliest expiry first; answers the lines that lack some. */
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

/** Gives the promises of a dispatch back to its order. */
export async function unassignFromDispatch(tx: Tx, orderId: string, dispatchId: string): Promise<void> {
  await lockReservations(tx, orderId);
  await saveReservations(tx, await removeReservations(tx, orderId, [dispatchId]), UNASSIGNED);
}

/** A line of a dispatch, and how much of the order's line is neither shipped nor closed. */
export interface DispatchedLine extends LineQuantity {
  productCode: string;
  open: number;
}

/**
 * Makes the promises of a dispatch follow what was really picked: batches picked instead of reserved ones are promised
 * and the others freed. What was not picked yet stays promised as it was; what the order was promised beside its
 * dispatches stays as far as it is still needed, so that no line is ever promised more than is open of it.
 */
export async function reserveAsPicked(
  tx: Tx,
  order: { orderId: string; warehouse: string },
  dispatchId: string,
  lines: readonly DispatchedLine[],
  picks: readonly Pick[],
): Promise<void> {
  const codes = lines.map((line) => line.productCode);
  const before = await lockReservations(tx, order.orderId, codes);
  const loose = before.filter((each) => each.dispatchId === UNASSIGNED);
  const isHere = (each: Reservation) => lines.some((line) => line.lineNo === each.lineNo);
  await removeReservations(tx, order.orderId, [dispatchId, UNASSIGNED]);
  const elsewhere = loose.filter((each) => !isHere(each));
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
  await requirePieces(tx, order.warehouse, picks);
  const others = before.filter((each) => each.dispatchId !== dispatchId && each.dispatchId !== UNASSIGNED);
  const staying = lines.flatMap((line) => {
    const taken = sumOf([...wanted, ...others].filter((each) => each.lineNo === line.lineNo));
    return keepWithin(
      loose.filter((each) => each.lineNo === line.lineNo),
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

const sumOf = (items: readonly Allocation[], productCode?: string): number =>
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

/** What a line of the dispatch has to be promised: its picks, and of what it was promised before the part not picked. */
function wantedOf(line: DispatchedLine, picks: readonly Pick[], before: readonly Reservation[]) {
  const picked = picks
    .filter((pick) => pick.lineNo === line.lineNo)
    .map(({ batchNo, quantity }) => ({ batchNo, quantity }));
  const rest = line.quantity - picked.reduce((sum, pick) => sum + pick.quantity, 0);
  // Another batch is still the same promise: it keeps its place in the queue.
  const reservedAt = before.map((each) => each.reservedAt).sort((a, b) => a.getTime() - b.getTime())[0];
  return [...picked, ...keepUnpicked(before, picked, rest)].map((each) => ({ ...each, reservedAt }));
}

/** Of promises beside the dispatches, as many as the line still needs and the picks have left. */
function keepWithin(
  loose: readonly Reservation[],
  most: number,
  free: ReadonlyMap<string, FreeBatch>,
): Reservation[] {
  let left = Math.max(0, most);
  return loose.flatMap((each) => {
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

/** Of what was promised, the part not yet picked: as much as is left, in the order it was promised. */
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

/** The named pieces of serial-tracked picks are in stock there, of that batch, and not on hold. */
async function requirePieces(tx: Tx, warehouse: string, picks: readonly Pick[]): Promise<void> {
  for (const { productCode, batchNo, serials } of picks.filter((each) => each.serials.length > 0)) {
    const known = await readSerials(tx, productCode, serials);
    const held = requireSerialsPresent(serials, known, batchNo, warehouse, '/picks').find(
      (piece) => piece.holds > 0,
    );
    if (held) throw refuseStock('stock_blocked', '/picks', `serial ${held.serialNo} is on hold`);
  }
}

export interface Shipment {
  order: { orderId: string; warehouse: string };
  dispatchId: string;
  picks: readonly Pick[];
  document: Omit<Movement['document'], 'line'>;
  customerCode: string;
}

/** Takes what was picked out of stock. Refused when anything of it was blocked since it was promised. */
export async function shipStock(tx: Tx, shipment: Shipment): Promise<void> {
  const { order, dispatchId, picks } = shipment;
  const promised = (await lockReservations(tx, order.orderId)).filter(
    (each) => each.dispatchId === dispatchId,
  );
  for (const pick of picks) {
    const kept = promised.find((each) => each.lineNo === pick.lineNo && each.batchNo === pick.batchNo);
    if ((kept?.quantity ?? 0) < pick.quantity) {
      throw refuseStock(
        'stock_blocked',
        null,
        `batch ${pick.batchNo} of line ${pick.lineNo} may no longer be shipped`,
      );
    }
  }
  await requirePieces(tx, order.warehouse, picks);
  await removeReservations(tx, order.orderId, [dispatchId]);
  for (const pick of picks) {
    const balance = await readBalance(tx, pick.productCode, pick.batchNo, order.warehouse);
    await saveBatchBalances(tx, pick.productCode, pick.batchNo, [
      { ...balance, quantity: balance.quantity - pick.quantity },
    ]);
    await takeSerialsOut(tx, pick.productCode, pick.serials);
  }
  await appendMovements(
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
  await onAvailableDecreased(
    tx,
    picks.map((pick) => pick.productCode),
  );
}
