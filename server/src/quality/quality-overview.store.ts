import { statement, type Tx } from '../platform/database/index.js';
import type { WaitingRecord } from '../platform/waiting-record.js';

export interface QualityOverview {
  /** Undecided entries of the register: some of their goods have no approved disposition. */
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

/** The entries `n` that need a decision: counted in the overview and shown in the list of the task. */
export const TO_DECIDE = `n.status = 'open' and n.proposed_quantity + n.approved_quantity + n.executed_quantity
  + n.released_quantity + n.adjusted_quantity < n.quantity`;

/** The dispositions `d` of each task for the person `actor`; nobody approves what they proposed. */
export const DISPOSITION_TASKS = {
  dispositions_to_approve: (actor: string) => `d.status = 'proposed' and d.proposed_by <> ${actor}`,
  dispositions_to_execute: (_actor: string) => `d.status = 'approved'`,
};
export type DispositionTask = keyof typeof DISPOSITION_TASKS;

const count = statement(`
  select e.*, p.* from (
    select count(*) as open, count(*) filter (where ${TO_DECIDE}) as "toDecide"
    from nonconformities n where n.org_id = $1 and n.status = 'open') e, (
    select count(*) filter (where d.status = 'proposed') as proposed,
      count(*) filter (where ${DISPOSITION_TASKS.dispositions_to_approve('$2')}) as "toApprove",
      count(*) filter (where ${DISPOSITION_TASKS.dispositions_to_execute('$2')}) as approved
    from dispositions d where d.org_id = $1 and d.status in ('proposed', 'approved')) p`);

export async function readQualityOverview(tx: Tx): Promise<QualityOverview> {
  const [row] = await tx.query<QualityOverview>(count, [tx.orgId, tx.actor]);
  return row ?? { open: 0, toDecide: 0, proposed: 0, toApprove: 0, approved: 0 };
}

const toDecide = statement(`
  select n.nc_id as id, n.product_name as name, n.batch_no as detail, n.created_at as since from nonconformities n
  where n.org_id = $1 and ${TO_DECIDE} order by n.nc_id limit $2`);
// Each query names the actor, so that both kinds take the same parameters.
const dispositions = (task: DispositionTask) =>
  statement(`
    select d.disposition_id as id, d.reason as name, d.kind as detail, coalesce(d.approved_at, d.proposed_at) as since
    from dispositions d where d.org_id = $1 and $3::text is not null and ${DISPOSITION_TASKS[task]('$3')}
    order by d.disposition_id limit $2`);
const WAITING = {
  dispositions_to_approve: dispositions('dispositions_to_approve'),
  dispositions_to_execute: dispositions('dispositions_to_execute'),
};

/** The oldest entries of the register with goods that no disposition names yet. */
export const readNonconformitiesToDecide = (tx: Tx, limit: number): Promise<WaitingRecord[]> =>
  tx.query<WaitingRecord>(toDecide, [tx.orgId, limit]);

/** The oldest dispositions that the actor may approve, or that wait to be executed. */
export const readWaitingDispositions = (
  tx: Tx,
  task: DispositionTask,
  limit: number,
): Promise<WaitingRecord[]> => tx.query<WaitingRecord>(WAITING[task], [tx.orgId, limit, tx.actor]);
