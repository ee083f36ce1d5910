import { statement, type Tx } from '../platform/database/index.js';

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
