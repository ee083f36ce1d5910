import { statement, type Tx } from '../platform/database/index.js';
import type { WaitingRecord } from '../platform/waiting-record.js';

export interface QualityOverview {
  /** Entries of the register that are not decided: nothing is approved for some of their goods. */
  open: number;
  /** Entries of the register with goods that no disposition names yet. */
  toDecide: number;
  /** Dispositions that wait for approval. */
  proposed: number;
  /** Dispositions that wait for approval and were proposed by others: those the actor may approve. */
  toApprove: number;
  /** Approved dispositions that wait for execution. */
  approved: number;
}

const count = statement(`
  select n.*, d.* from (
    select count(*) as open, count(*) filter (where proposed_quantity + approved_quantity + executed_quantity + released_quantity
      + adjusted_quantity < quantity) as "toDecide"
    from nonconformities where org_id = $1 and status = 'open') n, (
    select count(*) filter (where status = 'proposed') as proposed,
      count(*) filter (where status = 'proposed' and proposed_by <> $2) as "toApprove",
      count(*) filter (where status = 'approved') as approved
    from dispositions where org_id = $1 and status in ('proposed', 'approved')) d`);

export async function readQualityOverview(tx: Tx): Promise<QualityOverview> {
  const [row] = await tx.query<QualityOverview>(count, [tx.orgId, tx.actor]);
  return row ?? { open: 0, toDecide: 0, proposed: 0, toApprove: 0, approved: 0 };
}

const toDecide = statement(`
  select nc_id as id, product_name as name, batch_no as detail, created_at as since from nonconformities
  where org_id = $1 and status = 'open' and proposed_quantity + approved_quantity + executed_quantity + released_quantity
    + adjusted_quantity < quantity
  order by nc_id limit $2`);
const dispositions = statement(`
  select disposition_id as id, reason as name, kind as detail, coalesce(approved_at, proposed_at) as since from dispositions
  where org_id = $1 and status = $2 and (status = 'approved' or proposed_by <> $4) order by disposition_id limit $3`);

/** The oldest entries of the register with goods that no disposition names yet. */
export const readNonconformitiesToDecide = (tx: Tx, limit: number): Promise<WaitingRecord[]> =>
  tx.query<WaitingRecord>(toDecide, [tx.orgId, limit]);

/** The oldest dispositions that the actor may approve, or that wait to be executed. */
export const readWaitingDispositions = (
  tx: Tx,
  status: 'proposed' | 'approved',
  limit: number,
): Promise<WaitingRecord[]> => tx.query<WaitingRecord>(dispositions, [tx.orgId, status, limit, tx.actor]);
