import { statement, type Tx } from '../platform/database/index.js';
import { movementRows, movementSerialRows, recallHoldRows } from '../stock/index.js';

/** Units of the recalled stock that dispositions decided on while the recall was open. */
export interface Decided {
  /** Left the stock: destroyed, or returned to the supplier. */
  disposed: number;
  /** Released from a hold of the recall. They may be sold again unless something else blocks them. */
  released: number;
}

// The movements of an executed disposition name it as their document. Units that another hold released stay under the recall.
const decided = statement(`
  select coalesce(sum(d.quantity) filter (where d.quantity_delta < 0), 0)::bigint as disposed,
    coalesce(sum(d.quantity) filter (where d.kind = 'release' and exists (
      select from ${recallHoldRows('$1')} x where x.recall_id = r.recall_id and x.hold_id = d.hold_id)), 0)::bigint as released
  from recalls r cross join lateral (
    select m.kind, m.hold_id, m.quantity_delta, case when r.extent <> 'serials' then m.quantity else (
      select count(*) from ${movementSerialRows('$1')} p join recall_serials s on s.org_id = $1
        and s.recall_id = r.recall_id and s.product_code = p.product_code and s.serial_no = p.serial_no
      where p.movement_id = m.movement_id) end as quantity
    from ${movementRows('$1')} m
    where m.product_code = r.product_code and m.document_type = 'disposition' and m.position > r.opened_position
      and (r.closed_position is null or m.position <= r.closed_position)
      and (r.extent <> 'batches' or exists (select from recall_batches b
        where b.org_id = $1 and b.recall_id = r.recall_id and b.batch_no = m.batch_no))) d
  where r.org_id = $1 and r.recall_id = $2`);

export async function readDecided(tx: Tx, recallId: string): Promise<Decided> {
  const [row] = await tx.query<Decided>(decided, [tx.orgId, recallId]);
  return row ?? { disposed: 0, released: 0 };
}
