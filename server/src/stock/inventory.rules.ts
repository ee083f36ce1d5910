import type { Balance } from './stock.js';

/** A balance with the expiry date of its batch. */
export interface StockRow extends Balance {
  expiryDate: string | null;
}

export interface InventoryRecord {
  productCode: string;
  productName: string;
  warehouse: string;
  totalQuantity: number;
  availableQuantity: number;
  reservedQuantity: number;
  blockedQuantity: number;
  batches: { batchNo: string; expiryDate: string | null; quantity: number }[];
}

const ALL_WAREHOUSES = '*';

/** A batch is usable through its expiry date. Derived from the calendar, so expiring needs no write. */
const isExpired = (expiryDate: string | null, today: string): boolean =>
  expiryDate !== null && expiryDate < today;

/** total = available + reserved + blocked, always. Blocked stock is neither available nor reserved. */
export function toRecord(
  product: { productCode: string; productName: string },
  warehouse: string,
  rows: readonly StockRow[],
  today: string,
): InventoryRecord {
  let total = 0;
  let reserved = 0;
  let blocked = 0;
  for (const row of rows) {
    total += row.quantity;
    if (row.wholeHolds > 0 || isExpired(row.expiryDate, today)) {
      blocked += row.quantity;
    } else {
      blocked += row.held;
      reserved += row.reserved;
    }
  }
  return {
    productCode: product.productCode,
    productName: product.productName,
    warehouse,
    totalQuantity: total,
    availableQuantity: total - reserved - blocked,
    reservedQuantity: reserved,
    blockedQuantity: blocked,
    batches: toBatches(rows),
  };
}

/** One entry per batch over all warehouses: without expiry first, then by latest expiry, then by number. */
function toBatches(rows: readonly StockRow[]): InventoryRecord['batches'] {
  const batches = new Map<string, { batchNo: string; expiryDate: string | null; quantity: number }>();
  for (const { batchNo, expiryDate, quantity } of rows) {
    const known = batches.get(batchNo);
    if (known) known.quantity += quantity;
    else batches.set(batchNo, { batchNo, expiryDate, quantity });
  }
  return [...batches.values()].sort(byExpiryDescending);
}

const LAST = '9999-99-99';
function byExpiryDescending(
  a: InventoryRecord['batches'][number],
  b: InventoryRecord['batches'][number],
): number {
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
