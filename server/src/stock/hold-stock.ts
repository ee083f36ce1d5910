import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import { changeSerialHolds, readBalances, readSerials, saveBatchBalances } from './balance.store.js';
import type { HeldPart } from './held-goods.js';
import { saveNewHolds } from './hold.store.js';
import { lockGoods, movementOf } from './locate-stock.js';
import { appendMovements } from './movement.store.js';
import { dropReservations } from './reservation.store.js';
import { refuseStock } from './stock.errors.js';
import type { Balance, CHOSEN_HOLD_CATEGORIES, Hold, Serial, StockedProduct } from './stock.js';
import { batchNoFor, requireSerials, requireSerialsPresent } from './stock.rules.js';
import { onAvailableDecreased } from './stock-hooks.js';

export interface HoldRequest {
  productCode: string;
  batchNo?: string | undefined;
  warehouse?: string | undefined;
  /** Without quantity and serials, the whole batch including later arrivals. */
  quantity?: number | undefined;
  serials?: readonly string[] | undefined;
  reason: string;
  /** Only for a manual hold; every other source has its own category. Default: `logistics`. */
  category?: (typeof CHOSEN_HOLD_CATEGORIES)[number] | undefined;
  source?: Exclude<Hold['source'], 'environment'> | undefined;
  /** The environment alert behind the hold; its source is then `environment`. */
  alertId?: string | undefined;
  /** The goods have just arrived and were never available. */
  uponArrival?: boolean | undefined;
}

/** The effect of a hold: its extent, the balances it changes, and the part of each that it covers. */
interface Effect {
  hold: Pick<Hold, 'extent' | 'warehouse' | 'quantity' | 'serials'>;
  after: Balance[];
  parts: HeldPart[];
}

/** Puts `quantity` more units on hold: first free ones, then reserved ones. */
function holdMore(balance: Balance, quantity: number, path: string): Balance {
  const holdable = balance.quantity - balance.held;
  if (quantity > holdable)
    throw refuseStock('insufficient_stock', path, `only ${holdable} can be put on hold`);
  const fromReserved = Math.max(0, quantity - (holdable - balance.reserved));
  return { ...balance, held: balance.held + quantity, reserved: balance.reserved - fromReserved };
}

/** Blocks stock from being sold or moved. Holds stack: each is released separately. */
export async function holdStock(tx: Tx, input: HoldRequest): Promise<Hold> {
  const { productCode, warehouse, batchNo: given } = input;
  const warehouses: Record<string, string> = warehouse === undefined ? {} : { '/warehouse': warehouse };
  const product = await lockGoods(tx, { productCode, warehouses, knownBatch: { batchNo: given } });
  const batchNo = batchNoFor(product, given);
  const balances = await readBalances(tx, product.productCode, batchNo);
  const effect = await effectOf(tx, product, batchNo, input, balances);
  const hold = newHold(tx, { ...input, productCode: product.productCode, batchNo }, effect.hold);
  saveNewHolds(tx, [hold]);
  await dropHeldReservations(tx, product.productCode, balances, effect.after);
  if (effect.after.length > 0) saveBatchBalances(tx, product.productCode, batchNo, effect.after);
  changeSerialHolds(tx, product.productCode, hold.serials, 1);
  appendHoldMovements(tx, 'hold', hold, effect.parts, input.reason);
  if (!input.uponArrival) await onAvailableDecreased(tx, [product.productCode]);
  await recordAudit(tx, {
    action: 'stock.hold',
    entityType: 'hold',
    entityId: hold.holdId,
    reason: input.reason,
    after: hold,
  });
  return hold;
}

/** A hold that begins now. */
export function newHold(
  tx: Tx,
  { productCode, batchNo, reason, ...input }: HoldRequest & { batchNo: string },
  extent: Effect['hold'],
): Hold {
  const source = input.alertId === undefined ? (input.source ?? 'manual') : 'environment';
  return {
    holdId: newId('hld', tx.now),
    productCode,
    batchNo,
    ...extent,
    category: source === 'manual' ? (input.category ?? 'logistics') : source,
    source,
    alertId: input.alertId ?? null,
    ncId: null,
    splitFrom: null,
    reason,
    createdAt: tx.now,
    createdBy: tx.actor,
    releasedAt: null,
    releasedBy: null,
    releaseReason: null,
    updatedAt: tx.now,
  };
}

/** Stock on hold cannot stay reserved: the orders concerned have a shortage until they reserve again. */
async function dropHeldReservations(
  tx: Tx,
  productCode: string,
  before: readonly Balance[],
  after: readonly Balance[],
): Promise<void> {
  for (const { warehouse, batchNo, reserved } of after) {
    const reservedBefore = before.find((balance) => balance.warehouse === warehouse)?.reserved ?? 0;
    if (reservedBefore > reserved)
      await dropReservations(tx, { productCode, warehouse, batchNo }, reservedBefore - reserved);
  }
}

async function effectOf(
  tx: Tx,
  product: StockedProduct,
  batchNo: string,
  input: HoldRequest,
  balances: readonly Balance[],
): Promise<Effect> {
  // An empty list of serials with a quantity names no units, so the quantity counts.
  if (input.serials !== undefined && (input.serials.length > 0 || input.quantity === undefined)) {
    if (input.serials.length === 0) throw refuseStock('serials_required', '/serials');
    const serials = requireSerials(product, input.serials, input.quantity ?? input.serials.length);
    const known = await readSerials(tx, product.productCode, serials);
    return holdUnits(requireSerialsPresent(serials, known, batchNo, input.warehouse ?? null), balances);
  }
  if (input.quantity !== undefined) {
    if (product.tracking === 'serial') throw refuseStock('serials_required', '/serials');
    return holdQuantity(input.quantity, input.warehouse, balances);
  }
  return holdBatch(input.warehouse, balances);
}

function holdBatch(warehouse: string | undefined, balances: readonly Balance[]): Effect {
  const covered = balances.filter((balance) => warehouse === undefined || balance.warehouse === warehouse);
  return {
    hold: { extent: 'batch', warehouse: warehouse ?? null, quantity: null, serials: [] },
    after: covered.map((balance) => ({ ...balance, wholeHolds: balance.wholeHolds + 1, reserved: 0 })),
    parts: covered.map((balance) => ({
      warehouse: balance.warehouse,
      quantity: balance.quantity,
      serials: [],
    })),
  };
}

function holdQuantity(quantity: number, warehouse: string | undefined, balances: readonly Balance[]): Effect {
  const candidates = balances.filter((balance) =>
    warehouse === undefined ? balance.quantity > 0 : balance.warehouse === warehouse,
  );
  if (candidates.length > 1) throw refuseStock('warehouse_required', '/warehouse');
  const balance = candidates[0];
  if (!balance) throw refuseStock('insufficient_stock', '/quantity', 'only 0 can be put on hold');
  return {
    hold: { extent: 'quantity', warehouse: balance.warehouse, quantity, serials: [] },
    after: [holdMore(balance, quantity, '/quantity')],
    parts: [{ warehouse: balance.warehouse, quantity, serials: [] }],
  };
}

function holdUnits(units: readonly Serial[], balances: readonly Balance[]): Effect {
  const warehouses = [...new Set(units.map((unit) => unit.warehouse ?? ''))];
  const inWarehouse = (warehouse: string) => units.filter((unit) => unit.warehouse === warehouse);
  const after = balances
    .filter((balance) => warehouses.includes(balance.warehouse))
    .map((balance) => {
      // A unit that is already on hold is not counted twice.
      const added = inWarehouse(balance.warehouse).filter((unit) => unit.holds === 0).length;
      return holdMore(balance, added, '/serials');
    });
  return {
    hold: {
      extent: 'serials',
      warehouse: warehouses.length === 1 ? (warehouses[0] ?? null) : null,
      quantity: units.length,
      serials: units.map((unit) => unit.serialNo),
    },
    after,
    parts: warehouses.map((warehouse) => ({
      warehouse,
      quantity: inWarehouse(warehouse).length,
      serials: inWarehouse(warehouse).map((unit) => unit.serialNo),
    })),
  };
}

/** Appends a hold or release to the ledger. It moves nothing, but belongs to the history of the goods. */
export function appendHoldMovements(
  tx: Tx,
  kind: 'hold' | 'release',
  hold: Hold,
  parts: readonly HeldPart[],
  reason: string | null,
): void {
  const { holdId, productCode, batchNo } = hold;
  const document = { type: 'hold' as const, id: holdId, no: null, line: null };
  const movements = parts
    .filter((part) => part.quantity > 0)
    .map((part) =>
      movementOf(tx, { kind, productCode, batchNo, ...part, quantityDelta: 0, document, reason }),
    );
  if (movements.length > 0) appendMovements(tx, movements);
}
