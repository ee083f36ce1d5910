import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import { changeSerialHolds, readBalances, readSerials, saveBatchBalances } from './balance.store.js';
import { saveNewHold } from './hold.store.js';
import { lockGoods, movementOf } from './locate-stock.js';
import { appendMovements } from './movement.store.js';
import { dropReservations } from './reservation.store.js';
import { refuseStock } from './stock.errors.js';
import type { Balance, Hold, Serial, StockedProduct } from './stock.js';
import { batchNoFor, requireSerials, requireSerialsPresent } from './stock.rules.js';
import { onAvailableDecreased } from './stock-hooks.js';

export interface HoldRequest {
  productCode: string;
  batchNo?: string | undefined;
  warehouse?: string | undefined;
  /** Neither: the whole batch, later arrivals included. */
  quantity?: number | undefined;
  serials?: readonly string[] | undefined;
  reason: string;
  source?: Exclude<Hold['source'], 'environment'> | undefined;
  /** The environment alert it comes from: then that is its source. */
  alertId?: string | undefined;
  /** It has only just come, and was never available. */
  uponArrival?: boolean | undefined;
}

/** What a hold changes: the hold itself, the balances it covers, and how much of each. */
interface Effect {
  hold: Pick<Hold, 'extent' | 'warehouse' | 'quantity' | 'serials'>;
  after: Balance[];
  pieces: { warehouse: string; quantity: number; serials: string[] }[];
}

/** Puts `quantity` more pieces on hold: free ones first, then ones that were promised to orders. */
function holdMore(balance: Balance, quantity: number, path: string): Balance {
  const holdable = balance.quantity - balance.held;
  if (quantity > holdable)
    throw refuseStock('insufficient_stock', path, `only ${holdable} can be put on hold`);
  const promised = Math.max(0, quantity - (holdable - balance.reserved));
  return { ...balance, held: balance.held + quantity, reserved: balance.reserved - promised };
}

/** Blocks stock from being sold or moved. Holds stack: each is released on its own. */
export async function holdStock(tx: Tx, input: HoldRequest): Promise<Hold> {
  const { productCode, warehouse, batchNo: given } = input;
  const warehouses: Record<string, string> = warehouse === undefined ? {} : { '/warehouse': warehouse };
  const product = await lockGoods(tx, { productCode, warehouses, knownBatch: { batchNo: given } });
  const batchNo = batchNoFor(product, given);
  const balances = await readBalances(tx, product.productCode, batchNo);
  const effect = await effectOf(tx, product, batchNo, input, balances);
  const hold: Hold = {
    holdId: newId('hld', tx.now),
    productCode: product.productCode,
    batchNo,
    ...effect.hold,
    source: input.alertId === undefined ? (input.source ?? 'manual') : 'environment',
    alertId: input.alertId ?? null,
    reason: input.reason,
    createdAt: tx.now,
    createdBy: tx.actor,
    releasedAt: null,
    releasedBy: null,
    releaseReason: null,
  };
  await saveNewHold(tx, hold);
  await takeBackPromises(tx, product.productCode, balances, effect.after);
  if (effect.after.length > 0) await saveBatchBalances(tx, product.productCode, batchNo, effect.after);
  await changeSerialHolds(tx, product.productCode, hold.serials, 1);
  await noteInLedger(tx, 'hold', hold, effect.pieces, input.reason);
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

/** What is on hold cannot stay promised: the orders concerned fall short until they reserve again. */
async function takeBackPromises(
  tx: Tx,
  productCode: string,
  before: readonly Balance[],
  after: readonly Balance[],
): Promise<void> {
  for (const { warehouse, batchNo, reserved } of after) {
    const promised = before.find((balance) => balance.warehouse === warehouse)?.reserved ?? 0;
    if (promised > reserved)
      await dropReservations(tx, { productCode, warehouse, batchNo }, promised - reserved);
  }
}

async function effectOf(
  tx: Tx,
  product: StockedProduct,
  batchNo: string,
  input: HoldRequest,
  balances: readonly Balance[],
): Promise<Effect> {
  if (input.serials !== undefined) {
    const serials = requireSerials(product, input.serials, input.quantity ?? input.serials.length);
    const known = await readSerials(tx, product.productCode, serials);
    return holdPieces(requireSerialsPresent(serials, known, batchNo, input.warehouse ?? null), balances);
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
    pieces: covered.map((balance) => ({
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
    pieces: [{ warehouse: balance.warehouse, quantity, serials: [] }],
  };
}

function holdPieces(pieces: readonly Serial[], balances: readonly Balance[]): Effect {
  const warehouses = [...new Set(pieces.map((piece) => piece.warehouse ?? ''))];
  const inWarehouse = (warehouse: string) => pieces.filter((piece) => piece.warehouse === warehouse);
  const after = balances
    .filter((balance) => warehouses.includes(balance.warehouse))
    .map((balance) => {
      // A piece that is on hold already is not counted twice.
      const added = inWarehouse(balance.warehouse).filter((piece) => piece.holds === 0).length;
      return holdMore(balance, added, '/serials');
    });
  return {
    hold: {
      extent: 'serials',
      warehouse: warehouses.length === 1 ? (warehouses[0] ?? null) : null,
      quantity: pieces.length,
      serials: pieces.map((piece) => piece.serialNo),
    },
    after,
    pieces: warehouses.map((warehouse) => ({
      warehouse,
      quantity: inWarehouse(warehouse).length,
      serials: inWarehouse(warehouse).map((piece) => piece.serialNo),
    })),
  };
}

/** Holds and releases move nothing, but they belong to the history of what they touch. */
export async function noteInLedger(
  tx: Tx,
  kind: 'hold' | 'release',
  hold: Hold,
  pieces: readonly { warehouse: string; quantity: number; serials: string[] }[],
  reason: string | null,
): Promise<void> {
  const touched = pieces.filter((piece) => piece.quantity > 0);
  if (touched.length === 0) return;
  const document = { type: 'hold', id: hold.holdId, no: null, line: null };
  const { productCode, batchNo } = hold;
  await appendMovements(
    tx,
    touched.map((piece) =>
      movementOf(tx, { kind, productCode, batchNo, ...piece, quantityDelta: 0, document, reason }),
    ),
  );
}
