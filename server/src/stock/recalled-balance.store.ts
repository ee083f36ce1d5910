import { statement, type Tx } from '../platform/database/index.js';

/** Stock of one batch in one warehouse that active holds of a recall block. */
export interface RecalledBalance {
  recallId: string;
  warehouse: string;
  batchNo: string;
  quantity: number;
}

// `offset 0` makes the planner look up each hold and each serialized unit by its key. It has no statistics of goods just recalled, and
// would read all holds of the organization, or all units of the product, for each of them.
const blocked = statement(`
  with active as (
    select x.recall_id, h.hold_id, h.product_code, h.batch_no, h.warehouse, h.extent, h.quantity
    from recall_holds x
    cross join lateral (select i.* from holds i where i.org_id = $1 and i.hold_id = x.hold_id offset 0) h
    where x.org_id = $1 and x.recall_id = any($2) and h.released_at is null),
  whole as (
    select distinct a.recall_id, b.warehouse, b.batch_no, b.quantity from active a
    cross join lateral (select i.warehouse, i.batch_no, i.quantity from balances i
      where i.org_id = $1 and i.product_code = a.product_code and i.batch_no = a.batch_no and i.quantity > 0 offset 0) b
    where a.extent = 'batch' and (a.warehouse is null or b.warehouse = a.warehouse)),
  part as (
    select a.recall_id, a.warehouse, a.batch_no, a.quantity from active a where a.extent = 'quantity' and a.quantity > 0
    union all
    select a.recall_id, s.warehouse, a.batch_no, count(distinct u.serial_no) from active a
    join hold_serials u on u.org_id = $1 and u.hold_id = a.hold_id
    cross join lateral (select n.warehouse from serials n
      where n.org_id = $1 and n.product_code = u.product_code and n.serial_no = u.serial_no offset 0) s
    where a.extent = 'serials' and s.warehouse is not null group by a.recall_id, s.warehouse, a.batch_no)
  select recall_id as "recallId", warehouse, batch_no as "batchNo", quantity from whole
  union all
  select p.recall_id, p.warehouse, p.batch_no, sum(p.quantity)::integer from part p
  where not exists (select from whole w
    where w.recall_id = p.recall_id and w.warehouse = p.warehouse and w.batch_no = p.batch_no)
  group by p.recall_id, p.warehouse, p.batch_no
  order by 1, 2, 3`);

/** The stock that recalls currently block, by warehouse and batch. */
export async function readRecalledBalances(tx: Tx, recallIds: readonly string[]): Promise<RecalledBalance[]> {
  return tx.query(blocked, [tx.orgId, recallIds]);
}
