import { refuseStock } from './stock.errors.js';
import type { Balance, Hold, Serial } from './stock.js';

/** Part of what a hold covers. */
export interface DisposedPart {
  warehouse: string;
  quantity: number;
  serials: readonly string[];
}

/** Units that stay on hold when others of the whole batch are released. */
export interface Rest {
  warehouse: string;
  quantity: number;
  serials: string[];
}

const changed = (hold: Hold, part: DisposedPart, covered: number) =>
  refuseStock(
    'hold_changed',
    null,
    `hold ${hold.holdId} covers ${covered} in ${part.warehouse}, not ${part.quantity}`,
  );

const unitsOf = (part: DisposedPart, units: ReadonlyMap<string, Serial>): Serial[] =>
  part.serials.flatMap((serialNo) => units.get(serialNo) ?? []);

/** Refuses a part that the hold no longer covers, because units were adjusted out, moved or released since the decision. */
export function requireCovered(
  hold: Hold,
  part: DisposedPart,
  balance: Balance | undefined,
  units: ReadonlyMap<string, Serial>,
): void {
  const here = hold.warehouse === null || hold.warehouse === part.warehouse || hold.extent === 'serials';
  if (!balance || !here || hold.releasedAt) throw changed(hold, part, 0);
  if (part.serials.length > 0) {
    const named = hold.extent === 'serials' ? new Set(hold.serials) : null;
    const found = unitsOf(part, units).filter(
      (unit) =>
        unit.warehouse === part.warehouse &&
        unit.batchNo === hold.batchNo &&
        (!named || named.has(unit.serialNo)),
    );
    if (found.length !== part.quantity) throw changed(hold, part, found.length);
    return;
  }
  const covered = hold.extent === 'quantity' ? (hold.quantity ?? 0) : balance.quantity - balance.held;
  if (part.quantity > covered) throw changed(hold, part, covered);
}

/** The balance after held units left the stock. */
export function takeHeld(
  hold: Hold,
  part: DisposedPart,
  balance: Balance,
  units: ReadonlyMap<string, Serial>,
): Balance {
  const heldOneByOne =
    part.serials.length > 0
      ? unitsOf(part, units).filter((unit) => unit.holds > 0).length
      : hold.extent === 'quantity'
        ? part.quantity
        : 0;
  return {
    ...balance,
    quantity: balance.quantity - part.quantity,
    held: balance.held - heldOneByOne,
  };
}

/** The balance after units are no longer held by a hold of a quantity or of serial numbers. */
export function freeHeld(part: DisposedPart, balance: Balance, units: ReadonlyMap<string, Serial>): Balance {
  const freed =
    part.serials.length > 0 ? unitsOf(part, units).filter((unit) => unit.holds === 1).length : part.quantity;
  return { ...balance, held: balance.held - freed };
}

/**
 * Units of a whole batch that stay on hold when `released` is released. If a hold of a quantity overlaps, it is unknown
 * which units that one means, so it must be decided first.
 */
export function restOf(
  hold: Hold,
  covered: readonly Balance[],
  released: readonly DisposedPart[],
  unitsIn: ReadonlyMap<string, readonly string[]> | null,
): Rest[] {
  return covered.flatMap((balance) => {
    if (!unitsIn && balance.held > 0)
      throw refuseStock(
        'held_otherwise',
        null,
        `${balance.held} of batch ${hold.batchNo} in ${balance.warehouse} are on hold otherwise`,
      );
    const gone = released.filter((part) => part.warehouse === balance.warehouse);
    const quantity = balance.quantity - gone.reduce((sum, part) => sum + part.quantity, 0);
    if (quantity === 0) return [];
    const goneUnits = new Set(gone.flatMap((part) => part.serials));
    const serials = (unitsIn?.get(balance.warehouse) ?? []).filter((serialNo) => !goneUnits.has(serialNo));
    return [{ warehouse: balance.warehouse, quantity, serials }];
  });
}
