import { statement, type Tx } from '../platform/database/index.js';
import { type ArrivedGoods, holdRows, recallHoldRows } from '../stock/index.js';

/** An open recall that covers goods that have just arrived and are not blocked for it yet. */
export interface ArrivalRecall {
  recallId: string;
  recallNo: string;
  /** The arrived serial numbers that the recall names; empty if it covers all of them. */
  serials: string[];
  /** The recall has never blocked any of this batch. */
  isNewBatch: boolean;
}

const overArrival = statement(`
  select r.recall_id as "recallId", r.recall_no as "recallNo",
    coalesce((select array_agg(s.serial_no order by s.serial_no) from recall_serials s
      where s.org_id = $1 and s.recall_id = r.recall_id and s.serial_no = any($4)), '{}') as serials,
    not exists (select from ${recallHoldRows('$1')} x join ${holdRows('$1')} h on h.hold_id = x.hold_id
      where x.recall_id = r.recall_id and h.batch_no = $3) as "isNewBatch"
  from recalls r where r.org_id = $1 and r.product_code = $2 and r.status = 'open'
    and case r.extent
      when 'serials' then exists (select from recall_serials s
        where s.org_id = $1 and s.recall_id = r.recall_id and s.serial_no = any($4))
      else (r.extent = 'product' or exists (select from recall_batches b
          where b.org_id = $1 and b.recall_id = r.recall_id and b.batch_no = $3))
        and not exists (select from ${recallHoldRows('$1')} x join ${holdRows('$1')} h on h.hold_id = x.hold_id
          where x.recall_id = r.recall_id and h.batch_no = $3 and h.extent = 'batch' and h.released_at is null
            and (h.warehouse is null or h.warehouse = $5)) end
  order by r.recall_id`);

const recalledOf = statement(`
  select distinct product_code as "productCode" from recalls
  where org_id = $1 and product_code = any($2) and status = 'open'`);

/** Returns those of the products that have an open recall. */
export async function findRecalledProducts(tx: Tx, codes: ReadonlySet<string>): Promise<Set<string>> {
  const rows = await tx.query<{ productCode: string }>(recalledOf, [tx.orgId, [...codes]]);
  return new Set(rows.map((row) => row.productCode));
}

/** A hold of the whole batch covers later arrivals too. Everything else needs a hold of its own. */
export async function findRecallsOfArrival(tx: Tx, arrived: ArrivedGoods): Promise<ArrivalRecall[]> {
  const { productCode, batchNo, serials, warehouse } = arrived;
  return tx.query<ArrivalRecall>(overArrival, [tx.orgId, productCode, batchNo, serials, warehouse]);
}
