import { statement, type Tx } from '../platform/database/index.js';

export interface DeliveryOverview {
  enabled: number;
  disabled: number;
  /** Pushes that wait for another attempt, or for their first. */
  pending: number;
  /** Pushes given up in the last 24 hours. */
  failed: number;
  /** Of the latest attempts of the last 24 hours, the part that was delivered; null without any. */
  successShare: number | null;
}

const DAY_MS = 86_400_000;
const PENDING_MAX = 10_000;
const RECENT_MAX = 1_000;

const standings = statement(`
  select count(*) filter (where s.status = 'enabled') as enabled, count(*) filter (where s.status = 'disabled') as disabled
  from webhooks w join webhook_states s on s.org_id = w.org_id and s.webhook_id = w.webhook_id
  where w.org_id = $1 and w.deleted_at is null`);
// What has no row yet lies after the mark of its webhook, and is looked for only there.
const waiting = statement(`
  with live as (
    select w.webhook_id, w.event_types, w.customer_code, s.settled_to from webhooks w
    join webhook_states s on s.org_id = w.org_id and s.webhook_id = w.webhook_id
    where w.org_id = $1 and w.deleted_at is null and s.status = 'enabled')
  select (select count(*) from live l cross join lateral (select from webhook_deliveries d
      where d.org_id = $1 and d.webhook_id = l.webhook_id and d.due_at is not null and d.status in ('retrying', 'recovering')
      limit ${PENDING_MAX}) d)
    + (select count(*) from live l cross join lateral (select from events e
      where e.org_id = $1 and e.position > l.settled_to and e.event_type = any(l.event_types)
        and (l.customer_code is null or e.customer_code = l.customer_code)
        and not exists (select from webhook_deliveries d
          where d.org_id = $1 and d.webhook_id = l.webhook_id and d.position = e.position)
        and not exists (select from webhook_attempts a
          where a.org_id = $1 and a.webhook_id = l.webhook_id and a.position = e.position)
      limit ${PENDING_MAX}) e) as pending`);
const failed = statement(`
  select count(*) as failed from webhook_deliveries where org_id = $1 and status = 'failed' and updated_at >= $2`);
const recent = statement(`
  select avg(a.delivered::integer)::float8 as "successShare" from webhooks w
  cross join lateral (select x.delivered, x.at from webhook_attempts x
    where x.org_id = $1 and x.webhook_id = w.webhook_id order by x.position desc, x.attempt desc limit ${RECENT_MAX}) a
  where w.org_id = $1 and w.deleted_at is null and a.at >= $2`);

export async function readDeliveryOverview(tx: Tx): Promise<DeliveryOverview> {
  const since = new Date(tx.now.getTime() - DAY_MS);
  const one = async <R extends object>(rows: Promise<R[]>): Promise<R> => {
    const [row] = await rows;
    if (!row) throw new Error('figures without a row');
    return row;
  };
  return {
    ...(await one(tx.query<{ enabled: number; disabled: number }>(standings, [tx.orgId]))),
    ...(await one(tx.query<{ pending: number }>(waiting, [tx.orgId]))),
    ...(await one(tx.query<{ failed: number }>(failed, [tx.orgId, since]))),
    ...(await one(tx.query<{ successShare: number | null }>(recent, [tx.orgId, since]))),
  };
}

const mark = statement(`
  select concat_ws(' ', count(*), sum(delivered_total), sum(failed_total), sum(version), sum(settled_to), max(next_due_at)) as mark
  from webhook_states where org_id = $1`);

/** Another text whenever something became of a push, or a webhook was changed. */
export async function readDeliveryMark(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ mark: string }>(mark, [tx.orgId]);
  return row?.mark ?? '';
}
