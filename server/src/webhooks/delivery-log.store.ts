import { readPositionsOf, type Subjects } from '../events/index.js';
import {
  composedStatement,
  Filter,
  organizationRow,
  statement,
  type Tx,
} from '../platform/database/index.js';
import { matchedEvents } from './matched.store.js';
import { isUrgentEvent } from './urgent.js';
import type { DeliveryStatus } from './webhook.js';

interface LoggedAttempt {
  at: Date;
  status: number | null;
  durationMs: number;
  error: string | null;
  responseExcerpt: string | null;
}

export interface LoggedDelivery {
  position: number;
  eventId: string;
  eventType: string;
  occurredAt: Date;
  status: DeliveryStatus;
  nextAttemptAt: Date | null;
  attempts: LoggedAttempt[];
}

/** The status of each matched event. A push without a row was delivered at the first attempt, or is pending. */
const judged = `${matchedEvents},
  judged as (
    select m.position, m.event_id, m.event_type, m.at, d.due_at, d.status is not null as stored, case
      when d.status is null and delivered then 'delivered'
      when d.status is null and (s.status = 'disabled' or m.position <= s.send_from) then 'skipped'
      when d.status is null or d.status = 'recovering' then 'pending'
      else d.status end as status
    from matched m
    join webhook_states s on s.org_id = $1 and s.webhook_id = $2
    left join webhook_deliveries d on d.org_id = $1 and d.webhook_id = $2 and d.position = m.position
    cross join lateral (select d.status is null and exists (select 1 from webhook_attempts a
      where a.org_id = $1 and a.webhook_id = $2 and a.position = m.position and a.delivered) as delivered) x)`;

const listed = `position, event_id as "eventId", event_type as "eventType", at as "occurredAt", status,
  due_at as "nextAttemptAt"`;

const attemptsOf = statement(`
  select position, at, status, duration_ms as "durationMs", error, response_excerpt as "responseExcerpt"
  from webhook_attempts where org_id = $1 and webhook_id = $2 and position = any($3) order by position, attempt`);

/** The newest events that a text search considers. */
const POSITIONS_MAX = 1_000;

interface DeliveryFilter {
  status?: readonly DeliveryStatus[] | undefined;
  eventType?: readonly string[] | undefined;
  eventId?: string | undefined;
  /** Only events about these. */
  subjects?: Subjects | undefined;
}

export async function listDeliveries(
  tx: Tx,
  webhookId: string,
  filter: DeliveryFilter,
  before: number | null,
  limit: number,
): Promise<LoggedDelivery[]> {
  const positions = filter.subjects && (await readPositionsOf(tx, filter.subjects, before, POSITIONS_MAX));
  const found = await Promise.all(
    sourcesOf(filter.status).map((source) => {
      const list = new Filter(source, [tx.orgId, webhookId, limit]);
      list.and('position < ?', before).and(oneOf, filter.status);
      list.anyOf('event_type', filter.eventType).and('event_id = ?', filter.eventId);
      list.and('position = any(?)', positions);
      const text = `with ${judged} select ${listed} from judged where ${list.where} order by position desc limit $3`;
      return tx.query<Omit<LoggedDelivery, 'attempts'>>(composedStatement(text), list.values);
    }),
  );
  const rows = found.flat().toSorted((a, b) => b.position - a.position);
  const page = rows.slice(0, limit);
  const attempts = await tx.query<LoggedAttempt & { position: number }>(attemptsOf, [
    tx.orgId,
    webhookId,
    page.map((row) => row.position),
  ]);
  return page.map((row) => ({
    ...row,
    attempts: attempts.filter((attempt) => attempt.position === row.position),
  }));
}

/**
 * Written as a test for null: the planner expects other conditions on a status to match few rows, and would evaluate all of
 * them first.
 */
const oneOf = 'nullif(status = any(?), false) is not null';

const STORED_AS: Record<Exclude<DeliveryStatus, 'delivered'>, string> = {
  pending: 'recovering',
  retrying: 'retrying',
  failed: 'failed',
  skipped: 'skipped',
};
/** Every push up to this position was delivered or is stored. */
const watermark = '(select settled_to from webhook_states where org_id = $1 and webhook_id = $2)';
/** The position of the last delivered push: everything newer was missed, failed or waits. */
const lastDelivered = `(select a.position from webhook_attempts a where a.org_id = $1 and a.webhook_id = $2 and a.delivered
  order by a.position desc limit 1)`;

/**
 * Where pushes of these statuses are, as mutually exclusive conditions. Undelivered ones are stored or beyond the watermark,
 * so the feed, where nearly everything was delivered, is not searched for them.
 */
function sourcesOf(statuses: readonly DeliveryStatus[] | undefined): string[] {
  if (statuses?.every((status) => status === 'delivered')) return [`position <= ${lastDelivered}`];
  if (!statuses || statuses.includes('delivered')) return ['true'];
  const undelivered = statuses.flatMap((status) => (status === 'delivered' ? [] : STORED_AS[status]));
  const stored = `position = any(array(select d.position from webhook_deliveries d where d.org_id = $1 and d.webhook_id = $2
    and d.status in (${undelivered.map((status) => `'${status}'`).join(', ')})))`;
  const areAlwaysStored = statuses.every((status) => status === 'failed' || status === 'retrying');
  return areAlwaysStored ? [stored] : [stored, `not stored and position > ${watermark}`];
}

export interface Completeness {
  matched: number;
  delivered: number;
  pending: number;
  failed: number;
  skipped: number;
  missingEventIds: string[];
}

const MISSING_MAX = 10_000;
const completeness = statement(`
  with ${judged}
  select count(*) as matched,
    count(*) filter (where status = 'delivered') as delivered,
    count(*) filter (where status in ('pending', 'retrying')) as pending,
    count(*) filter (where status = 'failed') as failed,
    count(*) filter (where status = 'skipped') as skipped,
    coalesce((array_agg(event_id order by position) filter (where status in ('failed', 'skipped')))[1:${MISSING_MAX}], '{}')
      as "missingEventIds"
  from judged where at >= $3 and at < $4`);

export async function readCompleteness(
  tx: Tx,
  webhookId: string,
  from: Date,
  to: Date,
): Promise<Completeness> {
  const [row] = await tx.query<Completeness>(completeness, [tx.orgId, webhookId, from, to]);
  if (!row) throw new Error('no row for completeness');
  return row;
}

const missed = statement(`
  with ${judged}
  select count(*) filter (where status = 'failed') as failed, count(*) filter (where status = 'skipped') as skipped
  from judged where at >= $3`);
const recover = statement(`
  update webhook_deliveries d set status = 'recovering', tries = 0, due_at = $4, manual = false, resume_due_at = null, updated_at = $4
  from events e
  where d.org_id = $1 and d.webhook_id = $2 and d.status in ('failed', 'skipped')
    and e.org_id = $1 and e.position = d.position and e.at >= $3
  returning 1`);

export async function countMissed(
  tx: Tx,
  webhookId: string,
  since: Date,
): Promise<{ failed: number; skipped: number }> {
  const [row] = await tx.query<{ failed: number; skipped: number }>(missed, [tx.orgId, webhookId, since]);
  return row ?? { failed: 0, skipped: 0 };
}

/** Marks everything that failed or was skipped since then for another delivery. */
export async function recoverSince(tx: Tx, webhookId: string, since: Date): Promise<void> {
  tx.send(recover, [tx.orgId, webhookId, since, tx.now]);
}

const progress = statement(`
  select settled_to as watermark, send_from as "sendFrom" from webhook_states where org_id = $1 and webhook_id = $2`);

export async function readProgress(
  tx: Tx,
  webhookId: string,
): Promise<{ watermark: number; sendFrom: number }> {
  const [row] = await tx.query<{ watermark: number; sendFrom: number }>(progress, [tx.orgId, webhookId]);
  return row ?? { watermark: 0, sendFrom: 0 };
}

const redeliver = statement(`
  insert into webhook_deliveries (org_id, webhook_id, position, occurred_at, status, attempts, tries, due_at, manual, updated_at, urgent)
  select g.org_id, $2, $3, (select e.at from events e where e.org_id = $1 and e.position = $3), 'delivered', $4, 0, $5, true, $5,
    coalesce((select ${isUrgentEvent('e')} from events e where e.org_id = $1 and e.position = $3), false)
  from ${organizationRow('g')}
  on conflict (org_id, webhook_id, position) do update set manual = true, due_at = $5, updated_at = $5,
    occurred_at = coalesce(webhook_deliveries.occurred_at, excluded.occurred_at),
    resume_due_at = case when webhook_deliveries.manual then webhook_deliveries.resume_due_at else webhook_deliveries.due_at end`);

/** Makes one more attempt due now. If it fails, the push returns to its previous status. */
export async function redeliverNow(
  tx: Tx,
  webhookId: string,
  position: number,
  attempts: number,
): Promise<void> {
  tx.send(redeliver, [tx.orgId, webhookId, position, attempts, tx.now]);
}

const WAITING_MAX = 10_000;
const RECENT_MAX = 1_000;
const health = statement(`
  with ${judged},
  waiting as (
    select e.at from webhook_deliveries d join events e on e.org_id = $1 and e.position = d.position
    where d.org_id = $1 and d.webhook_id = $2 and d.status in ('retrying', 'recovering')
    union all
    (select at from judged where not stored and status = 'pending' and position > ${watermark} order by position limit ${WAITING_MAX})
    limit ${WAITING_MAX}),
  recent as (select delivered, duration_ms from webhook_attempts where org_id = $1 and webhook_id = $2
    order by position desc, attempt desc limit ${RECENT_MAX})
  select (select count(*) from waiting) as waiting, (select min(at) from waiting) as "oldestWaitingAt",
    count(*) as "recentAttempts", avg(delivered::integer)::float8 as "successRate",
    percentile_disc(0.5) within group (order by duration_ms) as "medianMs",
    percentile_disc(0.95) within group (order by duration_ms) as "p95Ms"
  from recent`);

export interface Health {
  waiting: number;
  oldestWaitingAt: Date | null;
  recentAttempts: number;
  successRate: number | null;
  medianMs: number | null;
  p95Ms: number | null;
}

export async function readHealth(tx: Tx, webhookId: string): Promise<Health> {
  const [row] = await tx.query<Health>(health, [tx.orgId, webhookId]);
  if (!row) throw new Error('no row for health');
  return row;
}
