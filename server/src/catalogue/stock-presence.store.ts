import { statement, type Tx } from '../platform/database/index.js';

const anyStock = statement(`
  select 1 from balances where org_id = $1 and product_code = any($2) and quantity > 0 limit 1`);

const anyInWarehouse = statement(`
  select 1 from balances where org_id = $1 and warehouse = $2 and quantity > 0 limit 1`);

/** Is there stock of any of these products? Asked here rather than of the stock slice, which builds on this one. */
export async function hasStock(tx: Tx, codes: readonly string[]): Promise<boolean> {
  return (await tx.query(anyStock, [tx.orgId, codes])).length > 0;
}

/** Is there stock of anything in this warehouse? */
export async function isStocked(tx: Tx, warehouse: string): Promise<boolean> {
  return (await tx.query(anyInWarehouse, [tx.orgId, warehouse])).length > 0;
}
