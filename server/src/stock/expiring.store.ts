import { productRows } from '../catalogue/index.js';
import { composedStatement, Filter, statement, type Tx } from '../platform/database/index.js';
import { availableQuantity, blockedQuantity, reservedQuantity } from './available.js';
import type { BatchRecord } from './batch-list.store.js';
import { figuresByExpiry } from './stock-tally.store.js';

type Quantities = Omit<BatchRecord['byWarehouse'][number], 'warehouse'>;

/** A batch with stock and an expiry date. */
export interface ExpiringBatch extends Quantities {
  productCode: string;
  productName: string;
  unit: string | null;
  tracking: 'none' | 'batch' | 'serial';
  batchNo: string;
  expiryDate: string;
  byWarehouse: BatchRecord['byWarehouse'];
}

export interface ExpiringFilter {
  /** The first and the last day of expiry. */
  from: string | undefined;
  through: string | undefined;
  productCode: string | undefined;
  warehouse: string | undefined;
}

// $1 is the organization, $2 the limit, $3 the day by which expiry is judged.
const balance = { balance: 'b', batch: 'k', today: '$3::date' };
const quantities = {
  totalQuantity: 'b.quantity',
  availableQuantity: availableQuantity(balance),
  reservedQuantity: reservedQuantity(balance),
  blockedQuantity: blockedQuantity(balance),
};
const each = Object.entries(quantities);
const figures = `
  select ${each.map(([name, sql]) => `sum(${sql})::integer as "${name}"`).join(', ')},
    json_agg(json_build_object('warehouse', b.warehouse, ${each.map(([name, sql]) => `'${name}', ${sql}`).join(', ')})
      order by b.warehouse) as "byWarehouse"
  from balances b
  where b.org_id = $1 and b.product_code = k.product_code and b.batch_no = k.batch_no and b.quantity > 0`;

/**
 * Batches in stock, earliest expiry first. The tallies show which dates have stock, so neither the many batches sold long
 * ago nor the rest of the stock is read; each date is read only as far as the page needs.
 */
export async function listExpiring(
  tx: Tx,
  filter: ExpiringFilter,
  after: readonly string[] | null,
  limit: number,
): Promise<ExpiringBatch[]> {
  const [date, product, batch] = after ?? [];
  const dates = new Filter('f.batches > 0', [tx.orgId, limit, tx.today]);
  dates.and('f.expiry_date >= ?::date', filter.from).and('f.expiry_date <= ?::date', filter.through);
  dates.and('f.expiry_date >= ?::date', date);
  const keys = new Filter('t.org_id = $1 and t.expiry_date = d.expiry_date', dates.values);
  keys.and('t.product_code = ?', filter.productCode);
  const place = [date, product, batch].map((part) => `$${keys.values.push(part)}`);
  const isAfter = `(d.expiry_date, t.product_code, t.batch_no) > (${place[0]}::date, ${place[1]}::text, ${place[2]}::text)`;
  const stocked = new Filter(
    'b.org_id = $1 and b.product_code = t.product_code and b.batch_no = t.batch_no and b.quantity > 0',
    keys.values,
  );
  stocked.and('b.warehouse = ?', filter.warehouse);
  const sql = `
    select k.product_code as "productCode", p.product_name as "productName", p.unit, p.tracking, k.batch_no as "batchNo",
      k.expiry_date as "expiryDate", s.*
    from (
      select d.expiry_date, t.product_code, t.batch_no
      from (select f.expiry_date from ${figuresByExpiry('$1')} f
        where ${dates.where} and f.expiry_date < 'infinity' order by f.expiry_date) d
      cross join lateral (select t.product_code, t.batch_no from batches t
        cross join lateral (select from balances b where ${stocked.where} limit 1) b
        where ${keys.where} and (${place[0]}::date is null or ${isAfter})
        order by t.product_code, t.batch_no limit $2) t
      order by d.expiry_date, t.product_code, t.batch_no limit $2) k
    cross join lateral (${figures}) s
    join ${productRows('$1')} p on p.product_code = k.product_code
    order by k.expiry_date, k.product_code, k.batch_no`;
  return tx.query<ExpiringBatch>(
    composedStatement(sql),
    stocked.values.map((value) => value ?? null),
  );
}

const usable = statement(`
  select b.product_code as "productCode", b.batch_no as "batchNo", k.expiry_date as "expiryDate",
    sum(b.quantity - ${blockedQuantity({ balance: 'b', batch: 'k', today: '$3::date' })})::integer as quantity
  from balances b join batches k on k.org_id = $1 and k.product_code = b.product_code and k.batch_no = b.batch_no
  where b.org_id = $1 and b.product_code = any($2) and b.quantity > 0
  group by b.product_code, b.batch_no, k.expiry_date`);

/** The units of each batch of these products that are not blocked, reserved or not. */
export const readUsableBatches = (
  tx: Tx,
  codes: readonly string[],
): Promise<{ productCode: string; batchNo: string; expiryDate: string | null; quantity: number }[]> =>
  tx.query(usable, [tx.orgId, codes, tx.today]);

const shipped = statement(`
  select product_code as "productCode", sum(quantity)::integer as quantity from movements
  where org_id = $1 and product_code = any($2) and kind = 'dispatch' and occurred_at >= $3 group by product_code`);

/** The units of these products that were shipped since an instant. */
export async function readShipped(
  tx: Tx,
  codes: readonly string[],
  since: Date,
): Promise<Map<string, number>> {
  const rows = await tx.query<{ productCode: string; quantity: number }>(shipped, [tx.orgId, codes, since]);
  return new Map(rows.map(({ productCode, quantity }) => [productCode, quantity]));
}
