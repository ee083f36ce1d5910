import type { Tracking } from '../../src/catalogue/index.js';

/** A second, simple implementation of the stock operations: it stores no sums and counts every time. */

export interface Adjust {
  kind: 'adjust';
  product: number;
  warehouse: string;
  batchNo: string;
  delta: number;
  expiryDate: string | null | undefined;
  serials: string[];
}
export interface Hold {
  kind: 'hold';
  product: number;
  batchNo: string;
  warehouse: string | undefined;
  extent: 'batch' | 'quantity' | 'serials';
  quantity: number;
  serials: string[];
  category: 'logistics' | 'quality';
}
interface Release {
  kind: 'release';
  hold: number;
  reason: string | null;
}
export interface Transfer {
  kind: 'transfer';
  product: number;
  batchNo: string;
  from: string;
  to: string;
  quantity: number;
  serials: string[];
}
/** A transfer of goods under a hold, of the product and batch that the hold is on. */
export interface Move {
  kind: 'move';
  hold: number;
  from: string;
  to: string;
  quantity: number;
  serials: string[];
}
export interface Put {
  kind: 'put';
  product: number;
  tracking: Tracking;
}
export type Operation = Adjust | Hold | Release | Transfer | Move | Put;

export const WAREHOUSES = ['WH-1', 'WH-2'];
export const TRACKINGS: readonly Tracking[] = ['batch', 'serial', 'none'];

/** The transfer that a move of goods under this hold makes. Serial numbers are named of a product that began with them. */
export const transferOf = (
  move: Move,
  { product, batchNo }: { product: number; batchNo: string },
): Transfer => {
  const serials = TRACKINGS[product] === 'serial' ? move.serials : [];
  const quantity = serials.length > 0 ? serials.length : move.quantity;
  return { kind: 'transfer', product, batchNo, from: move.from, to: move.to, quantity, serials };
};

interface ModelHold {
  product: number;
  batchNo: string;
  warehouse: string | null;
  extent: 'batch' | 'quantity' | 'serials';
  quantity: number;
  serials: Set<string>;
  category: Hold['category'];
  /** When it was put on, counted in holds. A hold that was split off is as old as the other part. */
  age: number;
  active: boolean;
}
interface ModelProduct {
  tracking: Tracking;
  batches: Map<string, string | null>;
  /** The quantity of a batch in a warehouse. */
  stock: Map<string, number>;
  serials: Map<string, { batchNo: string; warehouse: string | null }>;
}

/** `'ok'`, or the reason of the refusal. */
export type Outcome = string;

export class StockModel {
  readonly products: ModelProduct[] = TRACKINGS.map((tracking) => ({
    tracking,
    batches: new Map(),
    stock: new Map(),
    serials: new Map(),
  }));
  readonly holds: ModelHold[] = [];

  perform(operation: Operation): Outcome {
    switch (operation.kind) {
      case 'adjust':
        return this.#adjust(operation);
      case 'hold':
        return this.#hold(operation);
      case 'release':
        return this.#release(operation.hold, operation.reason);
      case 'transfer':
        return this.#transfer(operation);
      case 'move':
        return this.#move(operation);
      case 'put':
        return this.#put(operation);
    }
  }

  product(index: number): ModelProduct {
    const product = this.products[index];
    if (!product) throw new Error(`no product ${index}`);
    return product;
  }

  quantity(product: number, batchNo: string, warehouse: string): number {
    return this.product(product).stock.get(`${warehouse} ${batchNo}`) ?? 0;
  }

  /** Serialized units on hold one by one. */
  held(product: number, batchNo: string, warehouse: string): number {
    const { serials } = this.product(product);
    const active = this.#active(product, batchNo);
    const units = new Set(active.flatMap((hold) => [...hold.serials]));
    return (
      active
        .filter((hold) => hold.extent === 'quantity' && hold.warehouse === warehouse)
        .reduce((sum, hold) => sum + hold.quantity, 0) +
      [...units].filter((serialNo) => serials.get(serialNo)?.warehouse === warehouse).length
    );
  }

  isHeldWhole(product: number, batchNo: string, warehouse: string): boolean {
    return this.#active(product, batchNo).some(
      (hold) => hold.extent === 'batch' && (hold.warehouse === null || hold.warehouse === warehouse),
    );
  }

  #active(product: number, batchNo: string): ModelHold[] {
    return this.holds
      .filter((hold) => hold.active && hold.product === product && hold.batchNo === batchNo)
      .sort((a, b) => a.age - b.age);
  }

  #add(product: number, batchNo: string, warehouse: string, delta: number): void {
    const total = this.quantity(product, batchNo, warehouse) + delta;
    this.product(product).stock.set(`${warehouse} ${batchNo}`, total);
  }

  #batchProblem(product: ModelProduct, batchNo: string): Outcome | null {
    if (product.tracking === 'none') return batchNo === '' ? null : 'batch_not_tracked';
    return batchNo === '' ? 'batch_required' : null;
  }

  #serialProblem(product: ModelProduct, serials: readonly string[], quantity: number): Outcome | null {
    if (product.tracking !== 'serial') return serials.length > 0 ? 'serials_not_tracked' : null;
    return serials.length === quantity ? null : 'serials_required';
  }

  #absent(
    product: ModelProduct,
    serials: readonly string[],
    batchNo: string,
    warehouse: string | undefined,
  ): boolean {
    return serials.some((serialNo) => {
      const unit = product.serials.get(serialNo);
      if (!unit || unit.warehouse === null || unit.batchNo !== batchNo) return true;
      return warehouse !== undefined && unit.warehouse !== warehouse;
    });
  }

  #adjust({ product: index, warehouse, batchNo, delta, expiryDate, serials }: Adjust): Outcome {
    const product = this.product(index);
    if (!WAREHOUSES.includes(warehouse)) return 'unknown_reference';
    const problem =
      this.#batchProblem(product, batchNo) ?? this.#serialProblem(product, serials, Math.abs(delta));
    if (problem) return problem;
    const known = product.batches.get(batchNo);
    if (known === undefined) {
      if (delta < 0) return 'insufficient_stock';
      if (expiryDate === undefined && product.tracking !== 'none') return 'expiry_date_required';
    } else if (expiryDate !== undefined && expiryDate !== known) return 'batch_expiry_mismatch';
    if (delta > 0) {
      // The first serialized unit that cannot come in, in the order of their numbers, gives the reason.
      for (const serialNo of [...serials].sort()) {
        const unit = product.serials.get(serialNo);
        if (unit && unit.warehouse !== null) return 'serial_in_stock';
        if (unit && unit.batchNo !== batchNo) return 'serial_batch_mismatch';
      }
      for (const serialNo of serials) product.serials.set(serialNo, { batchNo, warehouse });
    } else if (serials.length > 0) {
      if (this.#absent(product, serials, batchNo, warehouse)) return 'serial_not_in_stock';
      for (const hold of this.#active(index, batchNo))
        for (const serialNo of serials) if (hold.serials.delete(serialNo)) this.#take(hold, 1);
      for (const serialNo of serials) product.serials.set(serialNo, { batchNo, warehouse: null });
    } else {
      const there = this.quantity(index, batchNo, warehouse);
      if (-delta > there) return 'insufficient_stock';
      this.#shrinkHolds(index, batchNo, warehouse, -delta - (there - this.held(index, batchNo, warehouse)));
    }
    if (known === undefined) product.batches.set(batchNo, expiryDate ?? null);
    this.#add(index, batchNo, warehouse, delta);
    return 'ok';
  }

  #shrinkHolds(product: number, batchNo: string, warehouse: string, by: number): void {
    let left = by;
    for (const hold of this.#active(product, batchNo)) {
      if (hold.extent !== 'quantity' || hold.warehouse !== warehouse || left <= 0) continue;
      const taken = Math.min(left, hold.quantity);
      this.#take(hold, taken);
      left -= taken;
    }
  }

  /** A hold ends with its last unit. */
  #take(hold: ModelHold, quantity: number): void {
    hold.quantity -= quantity;
    if (hold.quantity === 0) hold.active = false;
  }

  #hold({ product: index, batchNo, warehouse, extent, quantity, serials, category }: Hold): Outcome {
    const product = this.product(index);
    if (warehouse !== undefined && !WAREHOUSES.includes(warehouse)) return 'unknown_reference';
    const problem = this.#batchProblem(product, batchNo);
    if (problem) return problem;
    if (!product.batches.has(batchNo)) return 'unknown_reference';
    const hold = { product: index, batchNo, extent, category, age: this.holds.length, active: true };
    if (extent === 'batch') {
      this.holds.push({ ...hold, warehouse: warehouse ?? null, quantity: 0, serials: new Set() });
      return 'ok';
    }
    if (extent === 'serials') {
      if (product.tracking !== 'serial') return 'serials_not_tracked';
      if (this.#absent(product, serials, batchNo, warehouse)) return 'serial_not_in_stock';
      this.holds.push({ ...hold, warehouse: null, quantity: serials.length, serials: new Set(serials) });
      return 'ok';
    }
    if (product.tracking === 'serial') return 'serials_required';
    const places = WAREHOUSES.filter((place) =>
      warehouse === undefined ? this.quantity(index, batchNo, place) > 0 : place === warehouse,
    );
    if (places.length > 1) return 'warehouse_required';
    const [place] = places;
    if (place === undefined) return 'insufficient_stock';
    if (quantity > this.quantity(index, batchNo, place) - this.held(index, batchNo, place))
      return 'insufficient_stock';
    this.holds.push({ ...hold, warehouse: place, quantity, serials: new Set() });
    return 'ok';
  }

  #release(index: number, reason: string | null): Outcome {
    const hold = this.holds[index % this.holds.length];
    if (!hold) return 'missing';
    if (!hold.active) return 'hold_released';
    if (hold.category === 'quality' && reason === null) return 'release_reason_required';
    hold.active = false;
    return 'ok';
  }

  #transferProblem({ product: index, batchNo, from, to, quantity, serials }: Transfer): Outcome | null {
    const product = this.product(index);
    if (from === to) return 'same_warehouse';
    if (!WAREHOUSES.includes(from) || !WAREHOUSES.includes(to)) return 'unknown_reference';
    const problem = this.#batchProblem(product, batchNo);
    if (problem) return problem;
    if (!product.batches.has(batchNo)) return 'unknown_reference';
    const mismatch = this.#serialProblem(product, serials, quantity);
    if (mismatch) return mismatch;
    return this.#absent(product, serials, batchNo, from) ? 'serial_not_in_stock' : null;
  }

  #relocate({ product: index, batchNo, from, to, quantity, serials }: Transfer): Outcome {
    for (const serialNo of serials) this.product(index).serials.set(serialNo, { batchNo, warehouse: to });
    this.#add(index, batchNo, from, -quantity);
    this.#add(index, batchNo, to, quantity);
    return 'ok';
  }

  #transfer(transfer: Transfer): Outcome {
    const { product: index, batchNo, from, quantity, serials } = transfer;
    const problem = this.#transferProblem(transfer);
    if (problem) return problem;
    const onHold = new Set(this.#active(index, batchNo).flatMap((hold) => [...hold.serials]));
    if (serials.some((serialNo) => onHold.has(serialNo))) return 'stock_held';
    const there = this.quantity(index, batchNo, from);
    if (quantity > there) return 'insufficient_stock';
    if (this.isHeldWhole(index, batchNo, from)) return 'stock_held';
    if (quantity > there - this.held(index, batchNo, from)) return 'stock_held';
    return this.#relocate(transfer);
  }

  #move(move: Move): Outcome {
    const hold = this.holds[move.hold % this.holds.length];
    if (!hold) return 'missing';
    const transfer = transferOf(move, hold);
    const { product, batchNo, from, to, quantity, serials } = transfer;
    const problem = this.#transferProblem(transfer);
    if (problem) return problem;
    if (!hold.active) return 'hold_released';
    if (hold.extent !== 'serials' && hold.warehouse !== null && hold.warehouse !== from)
      return 'hold_mismatch';
    const wholeHere = this.#active(product, batchNo).filter(
      (each) => each.extent === 'batch' && each.warehouse === from && each !== hold,
    );
    if (wholeHere.length > 0) return 'stock_held';
    const there = this.quantity(product, batchNo, from);
    if (quantity > there) return 'insufficient_stock';
    if (hold.extent === 'batch') {
      if (serials.length === 0 && quantity > there - this.held(product, batchNo, from)) return 'stock_held';
    } else {
      if (quantity > hold.quantity) return 'insufficient_stock';
      if (serials.some((serialNo) => !hold.serials.has(serialNo))) return 'hold_mismatch';
    }
    const moved = { ...hold, warehouse: to, quantity };
    if (hold.extent === 'quantity' && quantity === hold.quantity) hold.warehouse = to;
    else if (hold.extent === 'quantity') {
      hold.quantity -= quantity;
      this.holds.push(moved);
    } else if (hold.extent === 'batch' && hold.warehouse !== null)
      this.holds.push({
        ...moved,
        extent: serials.length > 0 ? 'serials' : 'quantity',
        serials: new Set(serials),
      });
    return this.#relocate(transfer);
  }

  #put({ product: index, tracking }: Put): Outcome {
    const product = this.product(index);
    const stocked = [...product.stock.values()].some((quantity) => quantity > 0);
    if (tracking !== product.tracking && stocked) return 'tracking_in_use';
    product.tracking = tracking;
    return 'ok';
  }
}
