import { statement, type Tx } from '../platform/database/index.js';

const open = statement(`
  select l.product_code as "productCode", sum(l.quantity - l.dispatched_quantity - l.closed_quantity)::integer as quantity
  from order_lines l join orders o on o.org_id = $1 and o.order_id = l.order_id
  where l.org_id = $1 and l.product_code = any($2) and l.dispatched_quantity + l.closed_quantity < l.quantity
    and o.status in ('pending_approval', 'approved', 'partially_dispatched')
  group by l.product_code`);

/** The units of these products that open orders still require, reserved or not. */
export async function readOpenDemand(tx: Tx, codes: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx.query<{ productCode: string; quantity: number }>(open, [tx.orgId, codes]);
  return new Map(rows.map(({ productCode, quantity }) => [productCode, quantity]));
}
