import { statement, type Tx } from '../platform/database/index.js';
import type { Tracking } from './product.js';

export interface LockedProduct {
  productCode: string;
  productName: string;
  tracking: Tracking;
}

const lock = statement(`
  select product_code as "productCode", product_name as "productName", tracking from products
  where org_id = $1 and product_code = any($2) order by product_code for no key update`);
const advance = statement(`
  update products p set movements_made = p.movements_made + c.count
  from unnest($2::text[], $3::bigint[]) as c(product_code, count)
  where p.org_id = $1 and p.product_code = c.product_code
  returning p.product_code as "productCode", p.movements_made as "movementsMade"`);

/** Locks products in code order. Every change of stock or products starts with this, so no two can deadlock. */
export async function lockProductsInOrder(
  tx: Tx,
  codes: readonly string[],
): Promise<Map<string, LockedProduct>> {
  const rows = await tx.query<LockedProduct>(lock, [tx.orgId, codes]);
  return new Map(rows.map((row) => [row.productCode, row]));
}

/** Adds new movements to the counters of locked products and returns the counters. */
export async function advanceMovementCounts(
  tx: Tx,
  counts: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const rows = await tx.query<{ productCode: string; movementsMade: number }>(advance, [
    tx.orgId,
    [...counts.keys()],
    [...counts.values()],
  ]);
  return new Map(rows.map((row) => [row.productCode, row.movementsMade]));
}
