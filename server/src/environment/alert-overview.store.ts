import { warehouseRows } from '../catalogue/index.js';
import { statement, type Tx } from '../platform/database/index.js';
import type { WaitingRecord } from '../platform/waiting-record.js';

export interface AlertCounts {
  open: number;
  unacknowledged: number;
}

const counts = statement(`
  select (select count(*) from environment_alerts where org_id = $1 and closed_at is null) as open,
    (select count(*) from environment_alerts where org_id = $1 and acknowledged_at is null) as unacknowledged`);

export async function readAlertCounts(tx: Tx): Promise<AlertCounts> {
  const [row] = await tx.query<AlertCounts>(counts, [tx.orgId]);
  return row ?? { open: 0, unacknowledged: 0 };
}

// The peak deviation, and the warehouse unless the name of the point already contains it.
const oldest = statement(`
  select a.alert_id as id, a.point_name as name, a.started_at as since, a.closed_at is null as "isOngoing",
    concat_ws(' · ', case when position(w.name in a.point_name) = 0 then w.name end,
      case when a.highest > a.upper_limit then a.highest else a.lowest end
        || case a.metric when 'temperature' then ' °C' else ' %' end) as detail
  from environment_alerts a left join ${warehouseRows('$1')} w on w.code = a.warehouse
  where a.org_id = $1 and a.acknowledged_at is null order by a.closed_at is not null, a.alert_id limit $2`);

/** The oldest unacknowledged alerts, ongoing ones first. */
export const readUnacknowledgedAlerts = (tx: Tx, limit: number): Promise<WaitingRecord[]> =>
  tx.query<WaitingRecord>(oldest, [tx.orgId, limit]);

const mark = statement(`
  select concat_ws(' ', count(*), sum(repeats), count(acknowledged_at), max(last_observed_at),
    (select count(*) from environment_alerts where org_id = $1 and acknowledged_at is null),
    (select alert_id from environment_alerts where org_id = $1 order by alert_id desc limit 1)) as mark
  from environment_alerts where org_id = $1 and closed_at is null`);

/** A text that changes whenever an alert opens, continues, closes or is acknowledged, so listeners can compare it. */
export async function readAlertMark(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ mark: string }>(mark, [tx.orgId]);
  return row?.mark ?? '';
}
