import { calendarColumns, organizationRows } from '../organizations/index.js';
import { type Pool, statement, type Tx } from '../platform/database/index.js';
import type { Calendar } from '../platform/principal.js';
import { type RunMark, wronglyDatedAfter } from './daily-run.rules.js';

export interface DailyRunState extends RunMark, Calendar {
  orgId: string;
  code: string;
}

const organizations = statement(`
  select o.org_id as "orgId", o.code, ${calendarColumns}, r.day, r.ran_at as "ranAt", r.ahead_to as "aheadTo"
  from ${organizationRows()} o left join daily_runs r on r.org_id = o.org_id where o.status = 'active' order by o.org_id`);

/** States of active organizations. A suspended one catches up when it is active again. */
export async function readDailyRunStates(worker: Pool): Promise<DailyRunState[]> {
  return worker.query<DailyRunState>(organizations, []);
}

const markOf = statement(
  'select day, ran_at as "ranAt", ahead_to as "aheadTo" from daily_runs where org_id = $1',
);

export async function readRunMark(tx: Tx): Promise<RunMark> {
  const [row] = await tx.query<RunMark>(markOf, [tx.orgId]);
  return row ?? { day: null, ranAt: null, aheadTo: null };
}

const saveRun = statement(`
  insert into daily_runs (org_id, day, ran_at) values ($1, $2, $3)
  on conflict (org_id) do update set ran_at = excluded.ran_at,
    day = case when daily_runs.ran_at > $4 then excluded.day else greatest(daily_runs.day, excluded.day) end
  returning 1`);
const saveAhead = statement(`
  insert into daily_runs (org_id, ahead_to) values ($1, $2)
  on conflict (org_id) do update set ahead_to = greatest(daily_runs.ahead_to, excluded.ahead_to) returning 1`);

export async function saveDailyRun(tx: Tx): Promise<void> {
  tx.send(saveRun, [tx.orgId, tx.today, tx.now, wronglyDatedAfter(tx.now)]);
}

/** A day that was run ahead does not replace the days before it, which are still to come. */
export async function saveDailyRunAhead(tx: Tx): Promise<void> {
  tx.send(saveAhead, [tx.orgId, tx.today]);
}
