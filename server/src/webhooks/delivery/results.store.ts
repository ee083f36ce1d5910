import {
  batchStatement,
  bulkRows,
  organizationRow,
  type Pool,
  queryBatch,
  statement,
  type Tx,
} from '../../platform/database/index.js';
import type { EndedAttempt, Standing } from '../outcome.rules.js';
import { isUrgentEvent } from '../urgent.js';
import type { StoredDelivery } from '../webhook.js';
import { type EndpointKey, type HeldLease, leaseToken, setWatermark } from './lease.store.js';

interface NumberedAttempt {
  webhookId: string;
  attempt: EndedAttempt;
  number: number;
}

const batchColumns = bulkRows({
  org_id: 'text',
  webhook_id: 'text',
  token: 'text',
  settled_to: 'bigint',
  version: 'bigint',
  count: 'bigint',
  duration_ms: 'bigint',
});
const deliveredColumns = bulkRows({
  org_id: 'text',
  webhook_id: 'text',
  position: 'bigint',
  at: 'timestamptz',
  duration_ms: 'integer',
  status: 'integer',
  response_excerpt: 'text',
});
/** Watermarks and successful first attempts of all organizations in one statement, guarded by the lease tokens. */
const recordDelivered = batchStatement(
  14,
  ({ org, given }) => `
  with held as (
    update webhook_states s set consecutive_failures = 0, ${setWatermark},
      failing_since = null, delivered_total = s.delivered_total + r.count, duration_ms_total = s.duration_ms_total + r.duration_ms
    from ${batchColumns.from('r', 1)}
    where s.org_id = ${org('r.org_id')} and s.webhook_id = r.webhook_id and s.lease_token = ${leaseToken('r.token')} and s.status = 'enabled'
    returning s.org_id, s.webhook_id),
  noted as (
    insert into webhook_attempts (org_id, webhook_id, position, attempt, at, duration_ms, delivered, status, response_excerpt)
    select ${given ? 'held' : 'a'}.org_id, a.webhook_id, a.position, 1, a.at, a.duration_ms, true, a.status, a.response_excerpt
    from ${deliveredColumns.from('a', 8)}
    join held on held.org_id = a.org_id and held.webhook_id = a.webhook_id
    on conflict do nothing)
  select org_id as "orgId", webhook_id as "webhookId" from held`,
);

export interface DeliveredBatch extends HeldLease {
  attempts: readonly EndedAttempt[];
}

const attemptsOf = (batches: readonly DeliveredBatch[]) =>
  batches.flatMap(({ orgId, webhookId, attempts }) =>
    attempts.map((attempt) => ({ orgId, webhookId, attempt })),
  );

/** Returns the endpoints written: nothing is written for one whose lease is lost or that is disabled. */
export function recordDeliveredAttempts(
  pool: Pool,
  batches: readonly DeliveredBatch[],
): Promise<EndpointKey[]> {
  return queryBatch(pool, recordDelivered, batches, (own) => [
    ...batchColumns.values(own, (b) => ({
      org_id: b.orgId,
      webhook_id: b.webhookId,
      token: b.token,
      settled_to: b.watermark,
      version: b.version,
      count: b.attempts.length,
      duration_ms: b.attempts.reduce((sum, a) => sum + a.durationMs, 0),
    })),
    ...deliveredColumns.values(attemptsOf(own), ({ orgId, webhookId, attempt }) => ({
      org_id: orgId,
      webhook_id: webhookId,
      position: attempt.position,
      at: attempt.at,
      duration_ms: attempt.durationMs,
      status: attempt.status,
      response_excerpt: attempt.responseExcerpt,
    })),
  ]);
}

const lockHeld = statement(`
  select status, consecutive_failures as "consecutiveFailures", failing_since as "failingSince",
    settled_to as watermark, send_from as "sendFrom", version
  from webhook_states where org_id = $1 and webhook_id = $2 and lease_token = $3 for update`);
// A separate statement, because a distributed database runs the function where a row is read, but not where one is changed,
// as when a lease is claimed.
const fullToken = statement(`select ${leaseToken('$1::text')} as token`);

export interface HeldState extends Standing {
  watermark: number;
  sendFrom: number;
  version: number;
}

/** The token as it is stored while the lease is held in this incarnation of the database. */
export async function readHeldToken(tx: Tx, token: string): Promise<string> {
  const [row] = await tx.query<{ token: string }>(fullToken, [token]);
  if (!row) throw new Error('no row for the token');
  return row.token;
}

/** Locks the state; null: the lease is lost. */
export async function lockHeldState(tx: Tx, webhookId: string, heldToken: string): Promise<HeldState | null> {
  const [row] = await tx.query<HeldState>(lockHeld, [tx.orgId, webhookId, heldToken]);
  return row ?? null;
}

const someDeliveries = statement(`
  select position, status, attempts, tries, due_at as "dueAt", manual, resume_due_at as "resumeDueAt"
  from webhook_deliveries where org_id = $1 and webhook_id = $2 and position = any($3)`);

export async function readDeliveries(
  tx: Tx,
  webhookId: string,
  positions: readonly number[],
): Promise<Map<number, StoredDelivery>> {
  const rows = await tx.query<StoredDelivery>(someDeliveries, [tx.orgId, webhookId, positions]);
  return new Map(rows.map((row) => [row.position, row]));
}

const attemptColumns = bulkRows({
  webhook_id: 'text',
  position: 'bigint',
  attempt: 'integer',
  at: 'timestamptz',
  duration_ms: 'integer',
  delivered: 'boolean',
  status: 'integer',
  error: 'text',
  response_excerpt: 'text',
});
const insertMany = statement(`
  insert into webhook_attempts (org_id, ${attemptColumns.names()})
  select g.org_id, ${attemptColumns.names('a')} from ${organizationRow('g')}, ${attemptColumns.from('a', 2)}
  on conflict do nothing returning 1`);

export async function insertAttempts(tx: Tx, attempts: readonly NumberedAttempt[]): Promise<void> {
  tx.send(insertMany, [
    tx.orgId,
    ...attemptColumns.values(attempts, ({ webhookId, attempt, number }) => ({
      webhook_id: webhookId,
      position: attempt.position,
      attempt: number,
      at: attempt.at,
      duration_ms: attempt.durationMs,
      delivered: attempt.delivered,
      status: attempt.status,
      error: attempt.error,
      response_excerpt: attempt.responseExcerpt,
    })),
  ]);
}

const deliveryColumns = bulkRows({
  position: 'bigint',
  status: 'text',
  attempts: 'integer',
  tries: 'integer',
  due_at: 'timestamptz',
  manual: 'boolean',
  resume_due_at: 'timestamptz',
});
const upsert = statement(`
  insert into webhook_deliveries (org_id, webhook_id, position, occurred_at, status, attempts, tries, due_at, manual, resume_due_at, updated_at, urgent)
  select g.org_id, $2, d.position, (select e.at from events e where e.org_id = $1 and e.position = d.position), d.status, d.attempts, d.tries, d.due_at, d.manual, d.resume_due_at, $3,
    coalesce((select ${isUrgentEvent('e')} from events e where e.org_id = $1 and e.position = d.position), false)
  from ${organizationRow('g')}, ${deliveryColumns.from('d', 4)}
  on conflict (org_id, webhook_id, position) do update set status = excluded.status, attempts = excluded.attempts,
    tries = excluded.tries, due_at = excluded.due_at, manual = excluded.manual, resume_due_at = excluded.resume_due_at,
    updated_at = excluded.updated_at, occurred_at = coalesce(webhook_deliveries.occurred_at, excluded.occurred_at)
  returning 1`);

export async function saveDeliveries(
  tx: Tx,
  webhookId: string,
  deliveries: readonly StoredDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  tx.send(upsert, [
    tx.orgId,
    webhookId,
    tx.now,
    ...deliveryColumns.values(deliveries, (d) => ({
      position: d.position,
      status: d.status,
      attempts: d.attempts,
      tries: d.tries,
      due_at: d.dueAt,
      manual: d.manual,
      resume_due_at: d.resumeDueAt,
    })),
  ]);
}

const saveProgress = statement(`
  update webhook_states set settled_to = greatest(settled_to, $3), consecutive_failures = $4, failing_since = $5,
    delivered_total = delivered_total + $6, failed_total = failed_total + $7, duration_ms_total = duration_ms_total + $8
  where org_id = $1 and webhook_id = $2`);

export async function saveStanding(
  tx: Tx,
  webhookId: string,
  watermark: number,
  standing: Standing,
  ended: readonly EndedAttempt[],
): Promise<void> {
  const delivered = ended.filter((attempt) => attempt.delivered).length;
  tx.send(saveProgress, [
    tx.orgId,
    webhookId,
    watermark,
    standing.consecutiveFailures,
    standing.failingSince,
    delivered,
    ended.length - delivered,
    ended.reduce((sum, attempt) => sum + attempt.durationMs, 0),
  ]);
}

const advance = statement(
  'update webhook_states set settled_to = greatest(settled_to, $3) where org_id = $1 and webhook_id = $2',
);

export async function advanceWatermark(tx: Tx, webhookId: string, position: number): Promise<void> {
  tx.send(advance, [tx.orgId, webhookId, position]);
}

const refreshDue = statement(`
  update webhook_states set next_due_at = (select min(due_at) from webhook_deliveries
    where org_id = $1 and webhook_id = $2 and due_at is not null)
  where org_id = $1 and webhook_id = $2`);

/** Called under the lock of the state after every change of deliveries, so that it always holds the earliest due time. */
export async function refreshNextDue(tx: Tx, webhookId: string): Promise<void> {
  tx.send(refreshDue, [tx.orgId, webhookId]);
}
