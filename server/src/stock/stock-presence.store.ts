import { statement, type Tx } from '../platform/database/index.js';

const ofProducts = statement(`
  select 1 from balances where org_id = $1 and product_code = any($2) and quantity > 0 limit 1`);
const inWarehouse = statement(`
  select 1 from balances where org_id = $1 and warehouse = $2 and quantity > 0 limit 1`);

/** Returns whether any of these products has stock. */
export async function isProductStocked(tx: Tx, codes: readonly string[]): Promise<boolean> {
  return (await tx.query(ofProducts, [tx.orgId, codes])).length > 0;
}

/** Returns whether the warehouse has any stock. */
export async function isWarehouseStocked(tx: Tx, warehouse: string): Promise<boolean> {
  return (await tx.query(inWarehouse, [tx.orgId, warehouse])).length > 0;
}
