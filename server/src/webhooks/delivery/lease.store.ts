import { organizationRows } from '../../organizations/index.js';
import {
  batchStatement,
  bulkRows,
  type Pool,
  queryBatch,
  statement,
  type Tx,
} from '../../platform/database/index.js';
import { filterJson } from '../matched.store.js';
import {
  endWithGrants,
  joinOwner,
  joinOwnerAndGrant,
  type OwnerEnd,
  ownerEnd,
  ownerEndsAt,
} from '../owner.store.js';
import type { Subscription, WebhookStatus } from '../webhook.js';

/** Identifies a webhook among all organizations. */
export interface EndpointKey {
  orgId: string;
  webhookId: string;
}

export interface Work extends EndpointKey {
  /** The last position given in the organization's feed. */
  head: number;
  isDue: boolean;
  leasedUntil: Date | null;
}

const work = `select s.org_id as "orgId", s.webhook_id as "webhookId", h.position as head,
    coalesce(s.next_due_at <= $1, false) as "isDue", s.leased_until as "leasedUntil"
  from webhook_states s join event_heads h on h.org_id = s.org_id
  where (s.settled_to <> h.position or s.next_due_at <= $1)`;
const allWork = statement(work);
const workOf = statement(`${work} and s.org_id = any($2)`);
const workOfOne = statement(`${work} and s.org_id = $2 and h.org_id = $2`);

/** Endpoints with work at `now`, leased or not; `orgIds` null: of all organizations. */
export function findWork(pool: Pool, now: Date, orgIds: readonly string[] | null): Promise<Work[]> {
  return orgIds === null ? pool.query<Work>(allWork, [now]) : pool.query<Work>(workOf, [now, orgIds]);
}

/** Endpoints of the transaction's organization with work at `now`. */
export const findOwnWork = (tx: Tx, now: Date): Promise<Work[]> => tx.query<Work>(workOfOne, [now, tx.orgId]);

const nextDue = statement('select min(next_due_at) as at from webhook_states where next_due_at > $1');

export async function findNextDue(pool: Pool, now: Date): Promise<Date | null> {
  const [row] = await pool.query<{ at: Date | null }>(nextDue, [now]);
  return row?.at ?? null;
}

// Leases use the database's clock, which all workers share.
const clusterState = statement(`
  select (select count(*) from workers where seen_until > $2 and worker_id <> $1) as others,
    (select count(*) from webhook_states where leased_until > $2) as leased`);
const beat = statement(`
  insert into workers (worker_id, seen_until) values ($1, $2)
  on conflict (worker_id) do update set seen_until = excluded.seen_until`);
const removeDead = statement('delete from workers where seen_until < $1');
const removeOne = statement('delete from workers where worker_id = $1');

/** The number of other live workers, and the number of endpoints that all of them hold. */
export async function readClusterState(
  pool: Pool,
  workerId: string,
  now: Date,
): Promise<{ others: number; leased: number }> {
  const [row] = await pool.query<{ others: number; leased: number }>(clusterState, [workerId, now]);
  if (!row) throw new Error('no row for the cluster state');
  return row;
}

/** Announces this worker until the given time, and removes workers not seen since `deadBefore`. */
export async function heartbeat(pool: Pool, workerId: string, until: Date, deadBefore: Date): Promise<void> {
  await pool.query(beat, [workerId, until]);
  await pool.query(removeDead, [deadBefore]);
}

export async function removeWorker(pool: Pool, workerId: string): Promise<void> {
  await pool.query(removeOne, [workerId]);
}

/**
 * A lease belongs to one incarnation of the database. After a restore or a failover, the database may still contain the
 * token of a running process that remembers pushes missing from this history: that process must not record them.
 */
export const leaseToken = (token: string): string => `${token} || ' ' || (select incarnation())`;
// A watermark ahead of the feed was written in a history that a restore or failover has lost, so it is set back.
const claim = batchStatement(
  6,
  ({ org }) => `
  update webhook_states s set lease_token = ${leaseToken('c.token')}, lease_owner = $4, leased_until = $6,
    settled_to = least(s.settled_to, (select h.position from event_heads h where h.org_id = ${org('s.org_id')}))
  from unnest($1::text[], $2::text[], $3::text[]) as c(org_id, webhook_id, token)
  where s.org_id = ${org('c.org_id')} and s.webhook_id = c.webhook_id and (s.leased_until is null or s.leased_until <= $5)
  returning s.org_id as "orgId", s.webhook_id as "webhookId"`,
);

/** Claims the endpoints that are still free. Sorted by key, so that two workers lock rows in the same order. */
export function claimLeases(
  pool: Pool,
  wanted: readonly (EndpointKey & { token: string })[],
  lease: { owner: string; now: Date; until: Date },
): Promise<EndpointKey[]> {
  return queryBatch(pool, claim, wanted, (own) => [
    own.map((w) => w.orgId),
    own.map((w) => w.webhookId),
    own.map((w) => w.token),
    lease.owner,
    lease.now,
    lease.until,
  ]);
}

// A watermark computed with an older configuration is ignored, because it could pass an event of a type just subscribed to.
export const setWatermark =
  'settled_to = case when s.version = r.version then greatest(s.settled_to, r.settled_to) else s.settled_to end';
const heldColumns = bulkRows({
  org_id: 'text',
  webhook_id: 'text',
  token: 'text',
  settled_to: 'bigint',
  version: 'bigint',
});
const renew = batchStatement(
  6,
  ({ org }) => `
  update webhook_states s set leased_until = $6, ${setWatermark}
  from ${heldColumns.from('r', 1)}
  where s.org_id = ${org('r.org_id')} and s.webhook_id = r.webhook_id and s.lease_token = ${leaseToken('r.token')}
  returning s.org_id as "orgId", s.webhook_id as "webhookId", s.version`,
);
const release = batchStatement(
  5,
  ({ org }) => `
  update webhook_states s set lease_token = null, lease_owner = null, leased_until = null, ${setWatermark}
  from ${heldColumns.from('r', 1)}
  where s.org_id = ${org('r.org_id')} and s.webhook_id = r.webhook_id and s.lease_token = ${leaseToken('r.token')}`,
);

export interface HeldLease extends EndpointKey {
  token: string;
  watermark: number;
  /** The configuration the watermark was computed with. */
  version: number;
}

const toHeldRow = (held: HeldLease) => ({
  org_id: held.orgId,
  webhook_id: held.webhookId,
  token: held.token,
  settled_to: held.watermark,
  version: held.version,
});

/** Returns the leases still held, each with the version of its configuration. */
export function renewLeases(
  pool: Pool,
  held: readonly HeldLease[],
  until: Date,
): Promise<(EndpointKey & { version: number })[]> {
  return queryBatch(pool, renew, held, (own) => [...heldColumns.values(own, toHeldRow), until]);
}

export async function releaseLeases(pool: Pool, held: readonly HeldLease[]): Promise<void> {
  await queryBatch(pool, release, held, (own) => heldColumns.values(own, toHeldRow));
}

/** The configuration and state of a webhook, as the holder of its lease needs them. */
export interface EndpointFacts extends EndpointKey {
  callbackUrl: string;
  customerCode: string | null;
  secret: string;
  nextSecret: string | null;
  /** Sealed. */
  headers: string | null;
  overlapUntil: Date | null;
  /** The organization is a sandbox, and its pushes say so. */
  sandbox: boolean;
  subscriptions: Subscription[];
  status: WebhookStatus;
  /** Nothing is sent after this instant. */
  ownerEndsAt: Date | null;
  /** Everything up to this position is settled: delivered, or stored as retrying, failed or skipped. */
  watermark: number;
  /** Unsettled events up to this position were missed while the webhook was disabled. */
  sendFrom: number;
  version: number;
  /** The last position given in the feed, and the incarnation of the database it was read from. */
  head: number;
  incarnation: string;
  /** Stored pushes are or will be due. */
  hasDue: boolean;
  recovering: boolean;
  /** Positions beyond the watermark that an earlier holder settled. */
  settledBeyond: number[];
}

const facts = batchStatement(
  2,
  ({ org, given, isDistributed }) => `
  select s.org_id as "orgId", s.webhook_id as "webhookId", w.callback_url as "callbackUrl", w.customer_code as "customerCode",
    w.secret, w.next_secret as "nextSecret", w.overlap_until as "overlapUntil", w.headers,
    (select o.sandbox_of is not null from ${organizationRows(org('s.org_id'))} o) as sandbox, s.status, s.settled_to as watermark,
    ${isDistributed ? ownerEnd : `${ownerEndsAt} as "ownerEndsAt"`},
    s.send_from as "sendFrom", s.version, s.next_due_at is not null as "hasDue",
    coalesce((select h.position from event_heads h where h.org_id = ${org('s.org_id')}), 0) as head, (select incarnation()) as incarnation,
    (select json_agg(json_build_object('afterPosition', u.after_position, 'eventTypes', u.event_types, 'filter', ${filterJson('u')}) order by u.after_position)
       from webhook_subscriptions u where u.org_id = ${org('s.org_id')} and u.webhook_id = s.webhook_id) as subscriptions,
    exists (select 1 from webhook_deliveries d where d.org_id = ${org('s.org_id')} and d.webhook_id = s.webhook_id
       and d.due_at is not null and d.status = 'recovering') as recovering,
    array(select a.position from webhook_attempts a where a.org_id = ${org('s.org_id')} and a.webhook_id = s.webhook_id
            and a.position > s.settled_to and a.delivered
          union select d.position from webhook_deliveries d where d.org_id = ${org('s.org_id')} and d.webhook_id = s.webhook_id
            and d.position > s.settled_to)::float8[] as "settledBeyond"
  from unnest($1::text[], $2::text[]) as wanted(org_id, webhook_id)
  join webhook_states s on s.org_id = ${org('wanted.org_id')} and s.webhook_id = wanted.webhook_id
  join webhooks w on w.org_id = ${org('s.org_id')} and w.webhook_id = s.webhook_id ${isDistributed ? joinOwner(given) : joinOwnerAndGrant}`,
);

export async function readEndpoints(pool: Pool, keys: readonly EndpointKey[]): Promise<EndpointFacts[]> {
  const rows = await queryBatch<EndpointFacts & OwnerEnd, EndpointKey>(pool, facts, keys, (own) => [
    own.map((k) => k.orgId),
    own.map((k) => k.webhookId),
  ]);
  return pool.isDistributed ? endWithGrants(pool, rows) : rows;
}
