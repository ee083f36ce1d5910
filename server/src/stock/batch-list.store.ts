import { productRows } from '../catalogue/index.js';
import { composedStatement, Filter, onlyOf, type Tx } from '../platform/database/index.js';
import { availableQuantity, blockedQuantity, reservedQuantity } from './available.js';
import type { BATCH_STATUSES, Batch, Hold } from './stock.js';

/** A batch with its figures in each warehouse that stocks it, and its active holds. */
export interface BatchRecord extends Batch {
  productName: string;
  status: (typeof BATCH_STATUSES)[number];
  byWarehouse: {
    warehouse: string;
    totalQuantity: number;
    availableQuantity: number;
    reservedQuantity: number;
    blockedQuantity: number;
  }[];
  holds: Pick<Hold, 'holdId' | 'category' | 'extent' | 'warehouse' | 'quantity' | 'reason'>[];
}

export interface BatchFilter {
  productCode?: string | undefined;
  batchNo?: string | undefined;
  status?: readonly BatchRecord['status'][] | undefined;
  warehouse?: string | undefined;
  expiringBefore?: string | undefined;
}

// $1 is the organization, $2 the limit, $3 the day by which expiry is judged.
const balance = { balance: 'b', batch: 't', today: '$3::date' };
const figures = `
  select coalesce(sum(b.quantity), 0) as total, coalesce(sum(${blockedQuantity(balance)}), 0) as blocked,
    coalesce(json_agg(json_build_object('warehouse', b.warehouse, 'totalQuantity', b.quantity,
      'availableQuantity', ${availableQuantity(balance)}, 'reservedQuantity', ${reservedQuantity(balance)},
      'blockedQuantity', ${blockedQuantity(balance)}) order by b.warehouse), '[]') as by_warehouse
  from balances b
  where b.org_id = $1 and b.product_code = k.product_code and b.batch_no = k.batch_no and b.quantity > 0`;
const activeHolds = `
  select coalesce(bool_or(h.category = 'recall'), false) as some_recalled,
    coalesce(bool_or(h.category = 'recall' and h.extent = 'batch'), false) as all_recalled,
    coalesce(json_agg(json_build_object('holdId', h.hold_id, 'category', h.category, 'extent', h.extent,
      'warehouse', h.warehouse, 'quantity', h.quantity, 'reason', h.reason) order by h.hold_id), '[]') as holds
  from holds h
  where h.org_id = $1 and h.product_code = k.product_code and h.batch_no = k.batch_no and h.released_at is null`;
const status = `case
    when h.all_recalled or (h.some_recalled and s.total > 0 and s.blocked = s.total) then 'recalled'
    when t.expiry_date < $3::date then 'expired'
    when s.total > 0 and s.blocked = s.total then 'on_hold'
    else 'released' end`;

/** Distinct keys of batches. `limited`: only as many as a page can use, in list order. */
const keysOf = (rows: string, limited: boolean): string =>
  `(select distinct k.product_code, k.batch_no from ${rows}${limited ? ' order by k.product_code, k.batch_no limit $2' : ''})`;

/** The batches that can be on the page, without reading the many that were sold long ago. */
function candidatesOf(filter: BatchFilter, after: readonly string[] | null, given: readonly unknown[]) {
  const keys = new Filter('k.org_id = $1', given);
  keys.and('k.product_code = ?', filter.productCode).and('k.batch_no = ?', filter.batchNo);
  keys.and('k.warehouse = ?', filter.warehouse);
  const parts = (after ?? []).map((part) => `$${keys.values.push(part)}`);
  const where =
    keys.where + (after === null ? '' : ` and (k.product_code, k.batch_no) > (${parts.join(', ')})`);
  // If every candidate is listed, the first ones suffice: before PostgreSQL 17, a union is sorted as a whole.
  const limited = filter.status === undefined && filter.expiringBefore === undefined;
  const stocked = keysOf(`balances k where ${where} and k.quantity > 0`, limited);
  const held = (and = '') => keysOf(`holds k where ${where} and k.released_at is null${and}`, limited);
  const sql = (): string => {
    if (filter.warehouse !== undefined) return stocked;
    if (filter.productCode !== undefined && filter.batchNo !== undefined)
      return keysOf(`batches k where ${where}`, limited);
    const status = onlyOf(filter.status);
    if (status === 'recalled') return held(` and k.category = 'recall'`);
    return status === 'on_hold' ? held() : `${stocked} union ${held()}`;
  };
  return { sql: sql(), values: keys.values };
}

/** By product code, then batch number. A batch without stock and active holds is listed only if both are given. */
export async function listBatches(
  tx: Tx,
  filter: BatchFilter,
  after: readonly string[] | null,
  limit: number,
): Promise<BatchRecord[]> {
  const list = new Filter('true', [tx.orgId, limit, tx.today]);
  list.and('t.expiry_date < ?::date', filter.expiringBefore).anyOf(status, filter.status);
  const candidates = candidatesOf(filter, after, list.values);
  // Each is looked up by its key: with a join, the planner could read all batches first.
  const sql = `
    select k.product_code as "productCode", p.product_name as "productName", k.batch_no as "batchNo",
      t.expiry_date as "expiryDate", t.manufacture_date as "manufactureDate", ${status} as status,
      s.by_warehouse as "byWarehouse", h.holds
    from (${candidates.sql}) k
    cross join lateral (select t.expiry_date, t.manufacture_date from batches t
      where t.org_id = $1 and t.product_code = k.product_code and t.batch_no = k.batch_no limit 1) t
    cross join lateral (${figures}) s
    cross join lateral (${activeHolds}) h
    join ${productRows('$1')} p on p.product_code = k.product_code
    where ${list.where}
    order by k.product_code, k.batch_no limit $2`;
  return tx.query<BatchRecord>(composedStatement(sql), candidates.values);
}

/** One batch, in stock or not. */
export async function findBatchRecord(
  tx: Tx,
  productCode: string,
  batchNo: string,
): Promise<BatchRecord | null> {
  const [row] = await listBatches(tx, { productCode, batchNo }, null, 1);
  return row ?? null;
}
