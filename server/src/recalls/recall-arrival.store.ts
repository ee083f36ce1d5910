import { statement, type Tx } from '../platform/database/index.js';
import { type ArrivedGoods, holdRows, recallHoldRows } from '../stock/index.js';

/** An open recall that covers goods that have just arrived. */
export interface ArrivalRecall {
  recallId: string;
  recallNo: string;
  /** Serial numbers that the recall names; empty if it covers the whole batch. */
  serials: string[];
}

const overArrival = statement(`
  select r.recall_id as "recallId", r.recall_no as "recallNo",
    coalesce((select array_agg(s.serial_no order by s.serial_no) from recall_serials s
      where s.org_id = $1 and s.recall_id = r.recall_id and s.serial_no = any($4)), '{}') as serials
  from recalls r where r.org_id = $1 and r.product_code = $2 and r.status = 'open'
    and case r.extent
      when 'product' then not exists (select from ${recallHoldRows('$1')} x join ${holdRows('$1')} h on h.hold_id = x.hold_id
        where x.recall_id = r.recall_id and h.batch_no = $3)
      when 'serials' then exists (select from recall_serials s
        where s.org_id = $1 and s.recall_id = r.recall_id and s.serial_no = any($4))
      else false end
  order by r.recall_id`);

/**
 * A hold of a whole batch also covers later arrivals. Only batches new to a recall of the whole product, and serialized
 * units, need a hold of their own.
 */
export async function findRecallsOfArrival(tx: Tx, arrived: ArrivedGoods): Promise<ArrivalRecall[]> {
  const { productCode, batchNo, serials } = arrived;
  return tx.query<ArrivalRecall>(overArrival, [tx.orgId, productCode, batchNo, serials]);
}
