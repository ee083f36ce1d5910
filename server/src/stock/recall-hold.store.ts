import { organizationRow, statement, type Tx } from '../platform/database/index.js';

export interface RecallName {
  recallId: string;
  recallNo: string;
}

const insert = statement(`
  insert into recall_holds (org_id, recall_id, hold_id)
  select g.org_id, $2, h.hold_id from ${organizationRow('g')}, unnest($3::text[]) as h(hold_id) returning 1`);
const copy = statement(`
  insert into recall_holds (org_id, recall_id, hold_id)
  select x.org_id, x.recall_id, $3 from recall_holds x where x.org_id = $1 and x.hold_id = $2 returning 1`);
const ofRecall = statement('select 1 from recall_holds where org_id = $1 and hold_id = $2 limit 1');
const recalledBatches = statement(`
  select distinct h.product_code as "productCode", h.batch_no as "batchNo" from holds h
  join unnest($2::text[], $3::text[]) as p(product_code, batch_no) on p.product_code = h.product_code and p.batch_no = h.batch_no
  where h.org_id = $1 and h.source = 'recall' and h.extent = 'batch' and h.released_at is null`);
const recalledSerials = statement(`
  select distinct x.product_code as "productCode", x.serial_no as "serialNo" from hold_serials x
  join unnest($2::text[], $3::text[]) as p(product_code, serial_no) on p.product_code = x.product_code and p.serial_no = x.serial_no
  join holds h on h.org_id = $1 and h.hold_id = x.hold_id
  where x.org_id = $1 and h.source = 'recall' and h.released_at is null`);

export function saveRecallHolds(tx: Tx, recallId: string, holdIds: readonly string[]): void {
  tx.send(insert, [tx.orgId, recallId, holdIds]);
}

/** A hold that was split off belongs to the recall of the original, if there is one. */
export async function copyRecallOfHold(tx: Tx, holdId: string, splitHoldId: string): Promise<void> {
  tx.send(copy, [tx.orgId, holdId, splitHoldId]);
}

export async function isHoldOfRecall(tx: Tx, holdId: string): Promise<boolean> {
  return (await tx.query(ofRecall, [tx.orgId, holdId])).length > 0;
}

export async function readRecalledBatches(
  tx: Tx,
  batches: readonly { productCode: string; batchNo: string }[],
): Promise<{ productCode: string; batchNo: string }[]> {
  return tx.query(recalledBatches, [
    tx.orgId,
    batches.map((batch) => batch.productCode),
    batches.map((batch) => batch.batchNo),
  ]);
}

export async function readRecalledSerials(
  tx: Tx,
  units: readonly { productCode: string; serialNo: string }[],
): Promise<{ productCode: string; serialNo: string }[]> {
  if (units.length === 0) return [];
  return tx.query(recalledSerials, [
    tx.orgId,
    units.map((unit) => unit.productCode),
    units.map((unit) => unit.serialNo),
  ]);
}
