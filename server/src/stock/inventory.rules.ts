import type { Balance } from './stock.js';

/** A balance with the expiry date of its batch. */
export interface StockRow extends Balance {
  expiryDate: string | null;
}

interface InventoryBatch {
  batchNo: string;
  expiryDate: string | null;
  quantity: number;
  availableQuantity: number;
  reservedQuantity: number;
  blockedQuantity: number;
}

export interface InventoryRecord {
  productCode: string;
  productName: string;
  warehouse: string;
  totalQuantity: number;
  availableQuantity: number;
  reservedQuantity: number;
  blockedQuantity: number;
  batches: InventoryBatch[];
}

const ALL_WAREHOUSES = '*';

/** A batch is usable through its expiry date. Derived from the calendar, so that expiry needs no write. */
const isExpired = (expiryDate: string | null, today: string): boolean =>
  expiryDate !== null && expiryDate < today;

/**
 * total = available + reserved + blocked, always, and so of each batch. Blocked stock is neither available nor reserved.
 * Batches are merged over the warehouses: without expiry first, then by latest expiry, then by number.
 */
export function toRecord(
  product: { productCode: string; productName: string },
  warehouse: string,
  rows: readonly StockRow[],
  today: string,
): InventoryRecord {
  let total = 0;
  let reserved = 0;
  let blocked = 0;
  const batches = new Map<string, InventoryBatch>();
  for (const row of rows) {
    const batch = toBatch(row, today);
    total += batch.quantity;
    reserved += batch.reservedQuantity;
    blocked += batch.blockedQuantity;
    const known = batches.get(batch.batchNo);
    if (known) addTo(known, batch);
    else batches.set(batch.batchNo, batch);
  }
  return {
    productCode: product.productCode,
    productName: product.productName,
    warehouse,
    totalQuantity: total,
    availableQuantity: total - reserved - blocked,
    reservedQuantity: reserved,
    blockedQuantity: blocked,
    batches: [...batches.values()].sort(byExpiryDescending),
  };
}

function toBatch(row: StockRow, today: string): InventoryBatch {
  const isBlocked = row.wholeHolds > 0 || isExpired(row.expiryDate, today);
  const reserved = isBlocked ? 0 : row.reserved;
  const blocked = isBlocked ? row.quantity : row.held;
  return {
    batchNo: row.batchNo,
    expiryDate: row.expiryDate,
    quantity: row.quantity,
    availableQuantity: row.quantity - reserved - blocked,
    reservedQuantity: reserved,
    blockedQuantity: blocked,
  };
}

function addTo(batch: InventoryBatch, more: InventoryBatch): void {
  batch.quantity += more.quantity;
  batch.availableQuantity += more.availableQuantity;
  batch.reservedQuantity += more.reservedQuantity;
  batch.blockedQuantity += more.blockedQuantity;
}

const LAST = '9999-99-99';
function byExpiryDescending(a: InventoryBatch, b: InventoryBatch): number {
  const x = a.expiryDate ?? LAST;
  const y = b.expiryDate ?? LAST;
  if (x !== y) return x < y ? 1 : -1;
  return a.batchNo < b.batchNo ? -1 : 1;
}

/** The record over all warehouses, and one for each that has stock. */
export function toProductRecord(
  product: { productCode: string; productName: string },
  rows: readonly StockRow[],
  today: string,
): InventoryRecord & { byWarehouse: InventoryRecord[] } {
  const warehouses = [...new Set(rows.map((row) => row.warehouse))].sort();
  return {
    ...toRecord(product, ALL_WAREHOUSES, rows, today),
    byWarehouse: warehouses.map((warehouse) =>
      toRecord(
        product,
        warehouse,
        rows.filter((row) => row.warehouse === warehouse),
        today,
      ),
    ),
  };
}
