import { statement, type Tx } from '../platform/database/index.js';
import { availableQuantity } from './available.js';
import type { FreeBatch } from './reservation.rules.js';
import type { Hold } from './stock.js';

/** Goods in a warehouse that only a hold keeps from being sold. */
export type HeldSource = Pick<Hold, 'holdId' | 'productCode' | 'batchNo' | 'category' | 'reason'> & {
  expiryDate: string | null;
  quantity: number;
};

// A hold of a whole batch excludes units with a hold of their own.
const heldHere = statement(`
  select h.hold_id as "holdId", h.product_code as "productCode", h.batch_no as "batchNo", h.category, h.reason,
    t.expiry_date as "expiryDate", q.quantity
  from holds h
  join balances b on b.org_id = $1 and b.product_code = h.product_code and b.batch_no = h.batch_no and b.warehouse = $3
  join batches t on t.org_id = $1 and t.product_code = h.product_code and t.batch_no = h.batch_no
  cross join lateral (select case h.extent when 'batch' then b.quantity - b.held when 'quantity' then h.quantity
    else (select count(*) from hold_serials x
      join serials s on s.org_id = $1 and s.product_code = x.product_code and s.serial_no = x.serial_no
      where x.org_id = $1 and x.hold_id = h.hold_id and s.warehouse = $3) end::integer as quantity) q
  where h.org_id = $1 and h.product_code = any($2) and h.released_at is null and (h.warehouse is null or h.warehouse = $3)
    and (t.expiry_date is null or t.expiry_date >= $4) and q.quantity > 0
  order by t.expiry_date nulls last, h.batch_no, h.hold_id`);
const freeElsewhere = statement(`
  select b.product_code as "productCode", b.warehouse, b.batch_no as "batchNo", t.expiry_date as "expiryDate", f.free
  from balances b
  join batches t on t.org_id = $1 and t.product_code = b.product_code and t.batch_no = b.batch_no
  cross join lateral (select ${availableQuantity({ balance: 'b', batch: 't', today: '$4' })} as free) f
  where b.org_id = $1 and b.product_code = any($2) and b.warehouse <> $3 and f.free > 0
  order by b.warehouse, b.batch_no`);

export const readHeldHere = (
  tx: Tx,
  productCodes: readonly string[],
  warehouse: string,
): Promise<HeldSource[]> => tx.query(heldHere, [tx.orgId, productCodes, warehouse, tx.today]);

/** Stock in other warehouses that could be transferred. */
export const readFreeElsewhere = (
  tx: Tx,
  productCodes: readonly string[],
  warehouse: string,
): Promise<FreeBatch[]> => tx.query(freeElsewhere, [tx.orgId, productCodes, warehouse, tx.today]);
