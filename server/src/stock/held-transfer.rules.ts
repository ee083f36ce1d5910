import { refuseStock } from './stock.errors.js';
import type { Balance, Hold, Serial } from './stock.js';
import { addTo } from './stock.rules.js';

/** A transfer of goods under a hold. */
export interface HeldTransfer {
  hold: Hold;
  productCode: string;
  batchNo: string;
  from: string;
  to: string;
  quantity: number;
  /** Empty unless the product is tracked by serial number. */
  units: readonly Serial[];
  source: Balance;
  target: Balance;
  /** Active holds of the whole batch in `from` only. */
  holdsOfSource: readonly string[];
  /** For a hold that is split off. */
  newHoldId: string;
}

export interface HeldTransferEffect {
  source: Balance;
  target: Balance;
  /** The named hold after the transfer. */
  hold: Hold;
  /** The hold of the moved goods, if the named one no longer covers them. */
  split: Hold | null;
}

/** Refuses a hold that does not cover the given goods, or no longer does. */
export function requireCovered(
  hold: Hold,
  goods: Pick<HeldTransfer, 'productCode' | 'batchNo' | 'from'>,
): void {
  if (hold.productCode !== goods.productCode || hold.batchNo !== goods.batchNo)
    throw refuseStock(
      'hold_mismatch',
      '/holdId',
      `the hold is on batch ${hold.batchNo} of product ${hold.productCode}`,
    );
  if (hold.releasedAt !== null) throw refuseStock('hold_released', '/holdId');
  // A hold of serialized units covers them wherever they are.
  if (hold.extent !== 'serials' && hold.warehouse !== null && hold.warehouse !== goods.from)
    throw refuseStock('hold_mismatch', '/holdId', `the hold is on stock in ${hold.warehouse}`);
}

/** Moves goods under a hold to another warehouse, where the hold still covers them. */
export function moveHeld(transfer: HeldTransfer): HeldTransferEffect {
  const { hold, quantity, units, source, holdsOfSource } = transfer;
  const staying = holdsOfSource.find((holdId) => holdId !== hold.holdId);
  if (staying !== undefined)
    throw refuseStock('stock_held', '/holdId', `hold ${staying} is on the same goods and would stay behind`);
  if (quantity > source.quantity)
    throw refuseStock('insufficient_stock', '/quantity', `only ${source.quantity} in stock`);
  return hold.extent === 'batch' ? moveFromBatch(transfer) : moveFromPart(transfer, units);
}

/** A hold of a quantity or of serialized units moves along; of a quantity, as much as is moved. */
function moveFromPart(transfer: HeldTransfer, units: readonly Serial[]): HeldTransferEffect {
  const { hold, quantity, to, newHoldId } = transfer;
  const covered = hold.quantity ?? 0;
  if (quantity > covered)
    throw refuseStock('insufficient_stock', '/quantity', `only ${covered} are under the hold`);
  const other = units.find((unit) => !hold.serials.includes(unit.serialNo));
  if (other) throw refuseStock('hold_mismatch', '/serials', `serial ${other.serialNo} is not under the hold`);
  const moved = balancesAfter(transfer, { heldBefore: quantity, heldAfter: quantity });
  if (hold.extent === 'serials') return { ...moved, hold, split: null };
  if (quantity === covered) return { ...moved, hold: { ...hold, warehouse: to }, split: null };
  return {
    ...moved,
    hold: { ...hold, quantity: covered - quantity },
    split: { ...hold, holdId: newHoldId, splitFrom: hold.holdId, warehouse: to, quantity },
  };
}

/** A hold of the whole batch either covers the moved goods everywhere, or stays and leaves them to a hold of their own. */
function moveFromBatch(transfer: HeldTransfer): HeldTransferEffect {
  const { hold, quantity, units, source, to, newHoldId } = transfer;
  // Holds of serialized units move along with them. Of other goods, those under a hold of a quantity are not taken.
  const heldBefore = units.filter((unit) => unit.holds > 0).length;
  if (units.length === 0 && quantity > source.quantity - source.held)
    throw refuseStock(
      'stock_held',
      '/quantity',
      `only ${source.quantity - source.held} are under this hold alone`,
    );
  if (hold.warehouse === null)
    return { ...balancesAfter(transfer, { heldBefore, heldAfter: heldBefore }), hold, split: null };
  return {
    ...balancesAfter(transfer, { heldBefore, heldAfter: quantity }),
    hold,
    split: {
      ...hold,
      holdId: newHoldId,
      splitFrom: hold.holdId,
      warehouse: to,
      extent: units.length > 0 ? 'serials' : 'quantity',
      quantity,
      serials: units.map((unit) => unit.serialNo),
    },
  };
}

/** `heldBefore` and `heldAfter` count the moved units on hold one by one, on either side. */
function balancesAfter(
  { source, target, quantity }: HeldTransfer,
  { heldBefore, heldAfter }: { heldBefore: number; heldAfter: number },
): Pick<HeldTransferEffect, 'source' | 'target'> {
  const arrived = addTo(target, quantity, '/quantity');
  return {
    source: { ...source, quantity: source.quantity - quantity, held: source.held - heldBefore },
    target: { ...arrived, held: target.held + heldAfter },
  };
}
