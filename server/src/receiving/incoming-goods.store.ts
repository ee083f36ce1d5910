import type { IncomingGoods } from '../orders/index.js';
import { statement, type Tx } from '../platform/database/index.js';

// Materialized, so that the query starts from the few waiting receipts: a product can be on thousands of others.
const incoming = statement(`
  with pending as materialized (
    select r.receipt_id, r.receipt_no from receipts r
    where r.org_id = $1 and r.status = 'pending_acceptance' and r.kind = 'purchase' and r.warehouse = $3)
  select r.receipt_id as "receiptId", r.receipt_no as "receiptNo", l.product_code as "productCode", l.batch_no as "batchNo",
    l.expiry_date as "expiryDate", l.quantity
  from pending r join receipt_lines l on l.org_id = $1 and l.receipt_id = r.receipt_id
  where l.product_code = any($2) and (l.expiry_date is null or l.expiry_date >= $4)
  order by r.receipt_id, l.line_no`);

export const readIncoming = (
  tx: Tx,
  productCodes: readonly string[],
  warehouse: string,
): Promise<IncomingGoods[]> => tx.query(incoming, [tx.orgId, productCodes, warehouse, tx.today]);
