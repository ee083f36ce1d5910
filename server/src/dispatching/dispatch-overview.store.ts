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

const open = statement(`
  select count(*) filter (where d.status = 'picking') as picking,
    count(*) filter (where d.status = 'rechecking') as rechecking,
    count(*) filter (where d.status = 'rechecking' and (o.same_person_recheck or d.picked_by is distinct from $2)) as "toRecheck"
  from ${organizationRows('$1')} o join dispatches d on d.org_id = $1 and d.status in ('picking', 'rechecking')`);

export async function readDispatchOverview(tx: Tx): Promise<DispatchOverview> {
  const [row] = await tx.query<DispatchOverview>(open, [tx.orgId, tx.actor]);
  return row ?? { picking: 0, rechecking: 0, toRecheck: 0 };
}

const waiting = statement(`
  select d.dispatch_id as id, o.order_no as name, d.customer_name as detail, coalesce(d.picked_at, d.created_at) as since
  from ${organizationRows('$1')} z join dispatches d on d.org_id = $1 and d.status = $2
  join ${orderRows('$1')} o on o.order_id = d.order_id
  where $2 = 'picking' or z.same_person_recheck or d.picked_by is distinct from $4
  order by since limit $3`);

/** The dispatches that have waited longest, of those that the actor may pick or re-check. Named by their order. */
export const readWaitingDispatches = (
  tx: Tx,
  status: 'picking' | 'rechecking',
  limit: number,
): Promise<WaitingRecord[]> => tx.query<WaitingRecord>(waiting, [tx.orgId, status, limit, tx.actor]);

const mark = statement(`
  select concat_ws(' ', count(*), sum(version), max(updated_at)) as mark from dispatches
  where org_id = $1 and status in ('picking', 'rechecking')`);

/** Another text whenever an open dispatch came, moved on or went. */
export async function readDispatchMark(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ mark: string }>(mark, [tx.orgId]);
  return row?.mark ?? '';
}
