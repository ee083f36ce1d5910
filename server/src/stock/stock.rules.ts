import { requireBatchDates } from './batch-dates.rules.js';
import { refuseStock } from './stock.errors.js';
import type { Balance, Batch, Serial, StockedProduct } from './stock.js';

/** The quantity of a balance that can be sold or moved, apart from expiry. */
function freeQuantity(balance: Balance): number {
  return balance.wholeHolds > 0 ? 0 : balance.quantity - balance.reserved - balance.held;
}

/** The batch number as stored: an untracked product has one batch with an empty number. */
export function batchNoFor(product: StockedProduct, given: string | undefined): string {
  const batchNo = given ?? '';
  if (product.tracking === 'none') {
    if (batchNo !== '') throw refuseStock('batch_not_tracked', '/batchNo');
  } else if (batchNo === '') {
    throw refuseStock('batch_required', '/batchNo');
  }
  return batchNo;
}

/** Sorted serial numbers. Refused if they do not match the product's tracking or the quantity. */
export function requireSerials(
  product: StockedProduct,
  serials: readonly string[] | undefined,
  quantity: number,
): readonly string[] {
  if (product.tracking !== 'serial') {
    if (serials !== undefined && serials.length > 0) throw refuseStock('serials_not_tracked', '/serials');
    return [];
  }
  if (serials === undefined || serials.length !== quantity) throw refuseStock('serials_required', '/serials');
  return [...serials].sort();
}

/** A known batch keeps its expiry date; a new one needs one, unless the product is untracked. `day`: of its receipt. */
export function openBatch(
  product: StockedProduct,
  batchNo: string,
  known: Batch | null,
  given: { expiryDate?: string | null | undefined; manufactureDate?: string | null | undefined },
  day: string,
): Batch {
  if (known) {
    if (given.expiryDate !== undefined && given.expiryDate !== known.expiryDate) {
      throw refuseStock(
        'batch_expiry_mismatch',
        '/expiryDate',
        `the batch is known with expiry ${known.expiryDate ?? 'none'}`,
      );
    }
    return known;
  }
  if (given.expiryDate === undefined && product.tracking !== 'none')
    throw refuseStock('expiry_date_required', '/expiryDate');
  requireBatchDates(given, day);
  return {
    productCode: product.productCode,
    batchNo,
    expiryDate: given.expiryDate ?? null,
    manufactureDate: given.manufactureDate ?? null,
  };
}

/** The most that one batch in one warehouse can hold; fits PostgreSQL's integer with room to spare. */
const BALANCE_MAX = 2_000_000_000;

/** The balance after `quantity` units were added. */
export function addTo(balance: Balance, quantity: number, path: string): Balance {
  if (quantity > BALANCE_MAX - balance.quantity)
    throw refuseStock('quantity_too_large', path, `${balance.quantity} are in stock already`);
  return { ...balance, quantity: balance.quantity + quantity };
}

/**
 * The balance after an adjustment took `quantity` units: free ones first, then held ones (a broken unit may well be in
 * quarantine), never reserved ones. `fromHeld` counts the held ones.
 */
export function takeByAdjustment(balance: Balance, quantity: number): { balance: Balance; fromHeld: number } {
  if (quantity > balance.quantity)
    throw refuseStock('insufficient_stock', '/quantityDelta', `only ${balance.quantity} in stock`);
  const free = balance.quantity - balance.reserved - balance.held;
  const fromHeld = Math.max(0, quantity - free);
  if (fromHeld > balance.held)
    throw refuseStock('stock_reserved', '/quantityDelta', `${balance.reserved} are reserved`);
  return {
    balance: { ...balance, quantity: balance.quantity - quantity, held: balance.held - fromHeld },
    fromHeld,
  };
}

/** The balance after `quantity` free units were moved to another warehouse. */
export function takeByTransfer(balance: Balance, quantity: number): Balance {
  if (quantity > balance.quantity)
    throw refuseStock('insufficient_stock', '/quantity', `only ${balance.quantity} in stock`);
  if (quantity > freeQuantity(balance)) {
    const held = balance.wholeHolds > 0 || balance.held > 0;
    throw refuseStock(
      held ? 'stock_held' : 'stock_reserved',
      '/quantity',
      `only ${freeQuantity(balance)} can be moved`,
    );
  }
  return { ...balance, quantity: balance.quantity - quantity };
}

/** Refuses incoming serialized units that are already in stock, or known under another batch. */
export function requireSerialsAbsent(
  serials: readonly string[],
  known: ReadonlyMap<string, Serial>,
  batchNo: string,
): void {
  for (const serialNo of serials) {
    const serial = known.get(serialNo);
    if (!serial) continue;
    if (serial.warehouse !== null)
      throw refuseStock('serial_in_stock', '/serials', `serial ${serialNo} is in stock`);
    if (serial.batchNo !== batchNo)
      throw refuseStock(
        'serial_batch_mismatch',
        '/serials',
        `serial ${serialNo} is known under batch ${serial.batchNo}`,
      );
  }
}

/** Refuses serialized units that are not in stock, of another batch, or not in the warehouse if one is named. */
export function requireSerialsPresent(
  serials: readonly string[],
  known: ReadonlyMap<string, Serial>,
  batchNo: string,
  warehouse: string | null,
  path = '/serials',
): Serial[] {
  return serials.map((serialNo) => {
    const serial = known.get(serialNo);
    if (
      !serial ||
      serial.warehouse === null ||
      serial.batchNo !== batchNo ||
      (warehouse !== null && serial.warehouse !== warehouse)
    ) {
      throw refuseStock('serial_not_in_stock', path, `serial ${serialNo} is not in stock there`);
    }
    return serial;
  });
}
