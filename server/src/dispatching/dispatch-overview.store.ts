import { orderRows } from '../orders/index.js';
import { organizationRows } from '../organizations/index.js';
import { statement, type Tx } from '../platform/database/index.js';
import type { WaitingRecord } from '../platform/waiting-record.js';

export interface DispatchOverview {
  picking: number;
  rechecking: number;
  /** Dispatches that the actor may re-check: picked by others, unless the organization allows re-checking one's own. */
  toRecheck: number;
}

/** Whether the organization allows re-checking one's own picks. */
const OWN_ALLOWED = `exists (select from ${organizationRows('$1')} z where z.same_person_recheck)`;

/** The dispatches `d` of each task for the person `actor`: what the overview counts and what the list shows for it. */
export const DISPATCH_TASKS = {
  dispatches_to_pick: (_actor: string) => `d.status = 'picking'`,
  dispatches_to_recheck: (actor: string, ownAllowed = OWN_ALLOWED) =>
    `d.status = 'rechecking' and (${ownAllowed} or d.picked_by is distinct from ${actor})`,
};
export type DispatchTask = keyof typeof DISPATCH_TASKS;

const open = statement(`
  select count(*) filter (where d.status = 'picking') as picking,
    count(*) filter (where d.status = 'rechecking') as rechecking,
    count(*) filter (where ${DISPATCH_TASKS.dispatches_to_recheck('$2', 'o.same_person_recheck')}) as "toRecheck"
  from ${organizationRows('$1')} o join dispatches d on d.org_id = $1 and d.status in ('picking', 'rechecking')`);

export async function readDispatchOverview(tx: Tx): Promise<DispatchOverview> {
  const [row] = await tx.query<DispatchOverview>(open, [tx.orgId, tx.actor]);
  return row ?? { picking: 0, rechecking: 0, toRecheck: 0 };
}

// Each query names the actor, so that all kinds take the same parameters.
const waiting = (task: DispatchTask) =>
  statement(`
    select d.dispatch_id as id, o.order_no as name, d.customer_name as detail, coalesce(d.picked_at, d.created_at) as since
    from dispatches d join ${orderRows('$1')} o on o.order_id = d.order_id
    where d.org_id = $1 and $3::text is not null and ${DISPATCH_TASKS[task]('$3')}
    order by since limit $2`);
const WAITING = {
  dispatches_to_pick: waiting('dispatches_to_pick'),
  dispatches_to_recheck: waiting('dispatches_to_recheck'),
};

/** The longest-waiting dispatches that the actor may pick or re-check, named by their order. */
export const readWaitingDispatches = (tx: Tx, task: DispatchTask, limit: number): Promise<WaitingRecord[]> =>
  tx.query<WaitingRecord>(WAITING[task], [tx.orgId, limit, tx.actor]);

const mark = statement(`
  select concat_ws(' ', count(*), sum(version), max(updated_at)) as mark from dispatches
  where org_id = $1 and status in ('picking', 'rechecking')`);

/** A text that changes when an open dispatch is created, moves on or leaves. */
export async function readDispatchMark(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ mark: string }>(mark, [tx.orgId]);
  return row?.mark ?? '';
}
