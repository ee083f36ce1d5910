import { statement, type Tx } from '../platform/database/index.js';
import type { WaitingRecord } from '../platform/waiting-record.js';
import { concerns, passes } from './matched.store.js';

export interface DeliveryOverview {
  enabled: number;
  disabled: number;
  /** Pushes that wait for their first or next attempt. */
  pending: number;
  /** Pushes that permanently failed in the last 24 hours. */
  failed: number;
  /** The success rate of the latest attempts in the last 24 hours; null if there were none. */
  successShare: number | null;
  /** The same attempts by hour. A webhook with very many shows only its latest hours. */
  byHour: { hour: Date; attempts: number; delivered: number; averageMs: number }[];
}

const DAY_MS = 86_400_000;
const PENDING_MAX = 10_000;
const RECENT_MAX = 1_000;

/** The disabled webhooks, by their state `s`: counted in the overview and shown in the list of the task. */
export const TO_ENABLE = `s.status = 'disabled'`;

const standings = statement(`
  select count(*) filter (where s.status = 'enabled') as enabled, count(*) filter (where ${TO_ENABLE}) as disabled
  from webhooks w join webhook_states s on s.org_id = $1 and s.webhook_id = w.webhook_id
  where w.org_id = $1 and w.deleted_at is null`);
// Pushes without a row are above the watermark of their webhook, so only that stretch of the feed is searched.
const waiting = statement(`
  with live as (
    select w.webhook_id, w.event_types, w.customer_code, s.settled_to, w.filter_customers, w.filter_warehouses, w.filter_products from webhooks w
    join webhook_states s on s.org_id = $1 and s.webhook_id = w.webhook_id
    where w.org_id = $1 and w.deleted_at is null and s.status = 'enabled')
  select (select count(*) from live l cross join lateral (select from webhook_deliveries d
      where d.org_id = $1 and d.webhook_id = l.webhook_id and d.due_at is not null and d.status in ('retrying', 'recovering')
      limit ${PENDING_MAX}) d)
    + (select count(*) from live l cross join lateral (select from events e
      where e.org_id = $1 and e.position > l.settled_to and e.event_type = any(l.event_types)
        and ${concerns('e', 'l.customer_code')} and ${passes('e', 'l')}
        and not exists (select from webhook_deliveries d
          where d.org_id = $1 and d.webhook_id = l.webhook_id and d.position = e.position)
        and not exists (select from webhook_attempts a
          where a.org_id = $1 and a.webhook_id = l.webhook_id and a.position = e.position)
      limit ${PENDING_MAX}) e) as pending`);
const failed = statement(`
  select count(*) as failed from webhook_deliveries where org_id = $1 and status = 'failed' and updated_at >= $2`);
const recent = statement(`
  select date_trunc('hour', a.at) as hour, count(*) as attempts, count(*) filter (where a.delivered) as delivered,
    avg(a.duration_ms)::integer as "averageMs", bool_or(a.is_cut) as "isCut"
  from webhooks w
  cross join lateral (select x.delivered, x.at, x.duration_ms, count(*) over () >= ${RECENT_MAX} and x.at = min(x.at) over () as is_cut
    from (select y.delivered, y.at, y.duration_ms from webhook_attempts y
      where y.org_id = $1 and y.webhook_id = w.webhook_id order by y.position desc, y.attempt desc limit ${RECENT_MAX}) x) a
  where w.org_id = $1 and w.deleted_at is null and a.at >= $2
  group by 1 order by 1`);
const disabled = statement(`
  select w.webhook_id as id, coalesce(w.description, w.callback_url) as name, s.disabled_reason as detail, s.disabled_at as since
  from webhooks w join webhook_states s on s.org_id = $1 and s.webhook_id = w.webhook_id
  where w.org_id = $1 and w.deleted_at is null and ${TO_ENABLE} order by s.disabled_at limit $2`);

/** The webhooks that have been disabled longest. */
export const readDisabledWebhooks = (tx: Tx, limit: number): Promise<WaitingRecord[]> =>
  tx.query<WaitingRecord>(disabled, [tx.orgId, limit]);

export async function readDeliveryOverview(tx: Tx): Promise<DeliveryOverview> {
  const since = new Date(tx.now.getTime() - DAY_MS);
  const one = async <R extends object>(rows: Promise<R[]>): Promise<R> => {
    const [row] = await rows;
    if (!row) throw new Error('no row for the overview');
    return row;
  };
  const hours = await tx.query<DeliveryOverview['byHour'][number] & { isCut: boolean }>(recent, [
    tx.orgId,
    since,
  ]);
  const attempts = hours.reduce((sum, hour) => sum + hour.attempts, 0);
  const delivered = hours.reduce((sum, hour) => sum + hour.delivered, 0);
  // The hour of the oldest attempt considered may be incomplete.
  const complete = hours.slice(hours.findLastIndex(({ isCut }) => isCut) + 1);
  return {
    ...(await one(tx.query<{ enabled: number; disabled: number }>(standings, [tx.orgId]))),
    ...(await one(tx.query<{ pending: number }>(waiting, [tx.orgId]))),
    ...(await one(tx.query<{ failed: number }>(failed, [tx.orgId, since]))),
    successShare: attempts === 0 ? null : delivered / attempts,
    byHour: complete.map(({ isCut: _isCut, ...hour }) => hour),
  };
}

const fingerprint = statement(`
  select concat_ws(' ', count(*), sum(delivered_total), sum(failed_total), sum(version), sum(settled_to), max(next_due_at)) as fingerprint
  from webhook_states where org_id = $1`);

/** Changes with every result of a push and every change of a webhook. */
export async function readDeliveryFingerprint(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ fingerprint: string }>(fingerprint, [tx.orgId]);
  return row?.fingerprint ?? '';
}
