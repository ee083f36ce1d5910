import { statement, type Tx } from '../platform/database/index.js';
import { availableQuantity, balanceRows, batchRows } from '../stock/index.js';

// A batch can be sold through its expiry date; from the day after, it no longer counts as available.
const expired = statement(`
  select distinct b.product_code as "productCode" from ${batchRows('$1')} t
  join ${balanceRows('$1')} b on b.product_code = t.product_code and b.batch_no = t.batch_no
  where t.expiry_date >= $2::date and t.expiry_date < $3::date
    and ${availableQuantity({ balance: 'b', batch: 't', today: 't.expiry_date' })} > 0
  order by 1`);

/** Products with available stock whose expiry date is one of the days from `since` to yesterday. */
export async function findExpiredStock(tx: Tx, since: string): Promise<string[]> {
  const rows = await tx.query<{ productCode: string }>(expired, [tx.orgId, since, tx.today]);
  return rows.map((row) => row.productCode);
}
