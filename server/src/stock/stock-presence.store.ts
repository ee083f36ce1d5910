import { statement, type Tx } from '../platform/database/index.js';

const ofProducts = statement(`
  select 1 from balances where org_id = $1 and product_code = any($2) and quantity > 0 limit 1`);
const inWarehouse = statement(`
  select 1 from balances where org_id = $1 and warehouse = $2 and quantity > 0 limit 1`);

/** Whether there is stock of any of these products. */
export async function isProductStocked(tx: Tx, codes: readonly string[]): Promise<boolean> {
  return (await tx.query(ofProducts, [tx.orgId, codes])).length > 0;
}

/** Whether there is stock of anything in this warehouse. */
export async function isWarehouseStocked(tx: Tx, warehouse: string): Promise<boolean> {
  return (await tx.query(inWarehouse, [tx.orgId, warehouse])).length > 0;
}
