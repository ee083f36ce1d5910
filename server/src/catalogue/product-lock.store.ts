import { type Statement, statement, type Tx } from '../platform/database/index.js';
import type { Tracking } from './product.js';

export interface LockedProduct {
  productCode: string;
  productName: string;
  tracking: Tracking;
}

const lockingBy = (codes: string) =>
  statement(`
  select product_code as "productCode", product_name as "productName", tracking from products
  where org_id = $1 and product_code = any(${codes}) order by product_code for no key update`);
const lock = lockingBy('$2');
/** Locks products in code order. Every change of stock or products starts with this, so no two can deadlock. */
export async function lockProductsInOrder(
  tx: Tx,
  codes: readonly string[],
): Promise<Map<string, LockedProduct>> {
  return lockBy(tx, lock, codes);
}

/** The same for codes that SQL selects as an array, by the value in `$2`; `$1` is the organization. */
export function productLocker(
  codes: string,
): (tx: Tx, value: unknown) => Promise<Map<string, LockedProduct>> {
  const lockThose = lockingBy(codes);
  return (tx, value) => lockBy(tx, lockThose, value);
}

async function lockBy(tx: Tx, sql: Statement, value: unknown): Promise<Map<string, LockedProduct>> {
  const rows = await tx.query<LockedProduct>(sql, [tx.orgId, value]);
  return new Map(rows.map((row) => [row.productCode, row]));
}

/**
 * SQL that adds new movements to the counters of locked products, and returns them: `counts` is a `from` item `n` with `product_code`
 * and `count`. It goes into the statement that appends the movements. `$1` is the organization.
 */
export const advanceMovementCounts = (counts: string): string => `
  update products p set movements_made = p.movements_made + n.count from ${counts}
  where p.org_id = $1 and p.product_code = n.product_code returning p.product_code, p.movements_made`;
