import { productRows } from '../catalogue/index.js';
import { organizationRow, statement, type Tx } from '../platform/database/index.js';
import type { WaitingRecord } from '../platform/waiting-record.js';
import { availableQuantity, balanceRows, batchRows } from '../stock/index.js';

export interface LowProduct {
  productCode: string;
  productName: string;
  safetyStock: number;
  byWarehouse: { warehouse: string; availableQuantity: number }[];
}

const low = statement(`
  select p.product_code as "productCode", p.product_name as "productName", p.safety_stock as "safetyStock",
    coalesce((select json_agg(json_build_object('warehouse', s.warehouse, 'availableQuantity', s.available) order by s.warehouse)
      from (select b.warehouse, sum(${availableQuantity({ balance: 'b', batch: 't', today: '$3' })})::integer as available
            from ${balanceRows('$1')} b join ${batchRows('$1')} t on t.product_code = b.product_code and t.batch_no = b.batch_no
            where b.product_code = p.product_code and b.quantity > 0 group by b.warehouse) s), '[]') as "byWarehouse"
  from ${productRows('$1')} p where p.product_code = any($2) and p.safety_stock > 0
    and not exists (select from low_stock_notices n where n.org_id = $1 and n.product_code = p.product_code and n.day = $3)`);
const insertNotices = statement(`
  insert into low_stock_notices (org_id, product_code, day) select g.org_id, c.code, $3 from ${organizationRow('g')}, unnest($2::text[]) as c(code)
  on conflict do nothing returning product_code as "productCode"`);

/** Products with a safety stock that have not been notified about today, with their available quantities. */
export async function readUnnotified(tx: Tx, codes: readonly string[]): Promise<LowProduct[]> {
  return tx.query<LowProduct>(low, [tx.orgId, codes, tx.today]);
}

/**
 * Returns the products whose row of today this transaction inserted: the unique key lets only one transaction insert each.
 */
export async function insertLowStockNotices(tx: Tx, codes: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ productCode: string }>(insertNotices, [tx.orgId, codes, tx.today]);
  return new Set(rows.map((row) => row.productCode));
}

// Limited to recent notifications, because each product requires its whole stock to be read.
const stillLow = statement(`
  select w.*, count(*) over () as count from (
    select p.product_code as id, p.product_name as name, s.available || ' / ' || p.safety_stock as detail, n.day::timestamptz as since
    from (select product_code, min(day) as day from low_stock_notices where org_id = $1 and day > $2::date - $3::integer
      group by product_code order by min(day) limit $4) n
    join ${productRows('$1')} p on p.product_code = n.product_code and p.safety_stock > 0 and p.status = 'active'
    cross join lateral (
      select coalesce(sum(${availableQuantity({ balance: 'b', batch: 't', today: '$2::date' })}), 0)::integer as available
      from ${balanceRows('$1')} b join ${batchRows('$1')} t on t.product_code = b.product_code and t.batch_no = b.batch_no
      where b.product_code = p.product_code and b.quantity > 0) s
    where s.available < p.safety_stock) w
  order by w.since, w.id limit $5`);

const NOTIFIED_WITHIN_DAYS = 30;
const LOOKED_AT_MAX = 200;

/** Products notified about in the last 30 days that are still below their safety stock: the first of them, and how many. */
export async function readStillLow(
  tx: Tx,
  limit: number,
): Promise<{ count: number; oldest: WaitingRecord[] }> {
  const rows = await tx.query<WaitingRecord & { count: number }>(stillLow, [
    ...[tx.orgId, tx.today, NOTIFIED_WITHIN_DAYS, LOOKED_AT_MAX, limit],
  ]);
  return { count: rows[0]?.count ?? 0, oldest: rows.map(({ count: _count, ...record }) => record) };
}

/** The codes of all of them. */
export async function readStillLowCodes(tx: Tx): Promise<string[]> {
  return (await readStillLow(tx, LOOKED_AT_MAX)).oldest.map(({ id }) => id);
}
