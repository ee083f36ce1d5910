import { type Pool, statement } from '../../platform/database/index.js';
import type { Subscription, WebhookStatus } from '../webhook.js';

/** Names one configuration among all organizations. */
export interface EndpointKey {
  orgId: string;
  webhookId: string;
}

export interface Work extends EndpointKey {
  /** The last place given in the organization's feed. */
  head: number;
  due: boolean;
  leasedUntil: Date | null;
}

const work = `select s.org_id as "orgId", s.webhook_id as "webhookId", h.position as head,
    coalesce(s.next_due_at <= $1, false) as due, s.leased_until as "leasedUntil"
  from webhook_states s join event_heads h on h.org_id = s.org_id
  where (s.settled_to <> h.position or s.next_due_at <= $1)`;
const allWork = statement(work);
const workOf = statement(`${work} and s.org_id = any($2)`);

/** Endpoints with something to do at `now`, whoever holds them; null: of all organizations. */
export function findWork(pool: Pool, now: Date, orgIds: readonly string[] | null): Promise<Work[]> {
  return orgIds === null ? pool.query<Work>(allWork, [now]) : pool.query<Work>(workOf, [now, orgIds]);
}

const nextDue = statement('select min(next_due_at) as at from webhook_states where next_due_at > $1');

export async function findNextDue(pool: Pool, now: Date): Promise<Date | null> {
  const [row] = await pool.query<{ at: Date | null }>(nextDue, [now]);
  return row?.at ?? null;
}

// Leases are judged by the database's clock, which is the same for all machines and not moved by tests.
const look = statement(`
  select (select count(*) from workers where seen_until > $2 and worker_id <> $1) as others,
    (select count(*) from webhook_states where leased_until > $2) as leased`);
const beat = statement(`
  insert into workers (worker_id, seen_until) values ($1, $2)
  on conflict (worker_id) do update set seen_until = excluded.seen_until`);
const forgetGone = statement('delete from workers where seen_until < $1');
const sayGoodbye = statement('delete from workers where worker_id = $1');

export async function lookAround(
  pool: Pool,
  workerId: string,
  now: Date,
): Promise<{ others: number; leased: number }> {
  const [row] = await pool.query<{ others: number; leased: number }>(look, [workerId, now]);
  if (!row) throw new Error('the database counted nothing');
  return row;
}

export async function showAlive(pool: Pool, workerId: string, until: Date, goneBefore: Date): Promise<void> {
  await pool.query(beat, [workerId, until]);
  await pool.query(forgetGone, [goneBefore]);
}

export async function leave(pool: Pool, workerId: string): Promise<void> {
  await pool.query(sayGoodbye, [workerId]);
}

/**
 * A lease is of one incarnation of the database. Restored from a backup, or failed over to a standby, it may still hold the
 * token of a process that lives on and remembers what never happened there: that process must not write it down.
 */
export const leaseToken = (token: string): string => `${token} || ' ' || (select incarnation())`;
// A mark cannot be ahead of the feed: one that is was written from another history, and is set back.
const claim = statement(`
  update webhook_states s set lease_token = ${leaseToken('c.token')}, lease_owner = $4, leased_until = $6,
    settled_to = least(s.settled_to, (select h.position from event_heads h where h.org_id = s.org_id))
  from unnest($1::text[], $2::text[], $3::text[]) as c(org_id, webhook_id, token)
  where s.org_id = c.org_id and s.webhook_id = c.webhook_id and (s.leased_until is null or s.leased_until <= $5)
  returning s.org_id as "orgId", s.webhook_id as "webhookId"`);

/** Takes those that are still free; in the order of their keys, so that two workers do not wait for each other. */
export function claimLeases(
  pool: Pool,
  wanted: readonly (EndpointKey & { token: string })[],
  lease: { owner: string; now: Date; until: Date },
): Promise<EndpointKey[]> {
  return pool.query<EndpointKey>(claim, [
    wanted.map((w) => w.orgId),
    wanted.map((w) => w.webhookId),
    wanted.map((w) => w.token),
    lease.owner,
    lease.now,
    lease.until,
  ]);
}

// The mark was reckoned by a configuration: where that has changed meanwhile, it stays, or an event of a type just
// subscribed to could be passed over.
export const progress =
  'settled_to = case when s.version = r.version then greatest(s.settled_to, r.settled_to) else s.settled_to end';
const renew = statement(`
  update webhook_states s set leased_until = $6, ${progress}
  from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[]) as r(org_id, webhook_id, token, settled_to, version)
  where s.org_id = r.org_id and s.webhook_id = r.webhook_id and s.lease_token = ${leaseToken('r.token')}
  returning s.org_id as "orgId", s.webhook_id as "webhookId", s.version`);
const release = statement(`
  update webhook_states s set lease_token = null, lease_owner = null, leased_until = null, ${progress}
  from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[]) as r(org_id, webhook_id, token, settled_to, version)
  where s.org_id = r.org_id and s.webhook_id = r.webhook_id and s.lease_token = ${leaseToken('r.token')}`);

export interface HeldLease extends EndpointKey {
  token: string;
  settledTo: number;
  /** Of the configuration by which that was reckoned. */
  version: number;
}

const columnsOf = (held: readonly HeldLease[]) => [
  held.map((h) => h.orgId),
  held.map((h) => h.webhookId),
  held.map((h) => h.token),
  held.map((h) => h.settledTo),
  held.map((h) => h.version),
];

/** Those still held, each with the version of its configuration. */
export function renewLeases(
  pool: Pool,
  held: readonly HeldLease[],
  until: Date,
): Promise<(EndpointKey & { version: number })[]> {
  return pool.query(renew, [...columnsOf(held), until]);
}

export async function releaseLeases(pool: Pool, held: readonly HeldLease[]): Promise<void> {
  await pool.query(release, columnsOf(held));
}

/** Everything its holder needs to know about an endpoint. */
export interface EndpointFacts extends EndpointKey {
  callbackUrl: string;
  customerCode: string | null;
  secret: string;
  nextSecret: string | null;
  overlapUntil: Date | null;
  subscriptions: Subscription[];
  status: WebhookStatus;
  settledTo: number;
  sendFrom: number;
  version: number;
  /** The last place given in the feed, and of which incarnation of the database. */
  head: number;
  incarnation: string;
  /** Something is stored that is or will be due. */
  hasDue: boolean;
  recovering: boolean;
  /** Settled beyond `settledTo`, by whoever held it before. */
  settledBeyond: number[];
}

const facts = statement(`
  select s.org_id as "orgId", s.webhook_id as "webhookId", w.callback_url as "callbackUrl", w.customer_code as "customerCode",
    w.secret, w.next_secret as "nextSecret", w.overlap_until as "overlapUntil", s.status, s.settled_to as "settledTo",
    s.send_from as "sendFrom", s.version, s.next_due_at is not null as "hasDue",
    coalesce((select h.position from event_heads h where h.org_id = s.org_id), 0) as head, (select incarnation()) as incarnation,
    (select json_agg(json_build_object('afterPosition', u.after_position, 'eventTypes', u.event_types) order by u.after_position)
       from webhook_subscriptions u where u.org_id = s.org_id and u.webhook_id = s.webhook_id) as subscriptions,
    exists (select 1 from webhook_deliveries d where d.org_id = s.org_id and d.webhook_id = s.webhook_id
       and d.due_at is not null and d.status = 'recovering') as recovering,
    array(select a.position from webhook_attempts a where a.org_id = s.org_id and a.webhook_id = s.webhook_id
            and a.position > s.settled_to and a.delivered
          union select d.position from webhook_deliveries d where d.org_id = s.org_id and d.webhook_id = s.webhook_id
            and d.position > s.settled_to)::float8[] as "settledBeyond"
  from unnest($1::text[], $2::text[]) as k(org_id, webhook_id)
  join webhook_states s on s.org_id = k.org_id and s.webhook_id = k.webhook_id
  join webhooks w on w.org_id = s.org_id and w.webhook_id = s.webhook_id`);

export function readEndpoints(pool: Pool, keys: readonly EndpointKey[]): Promise<EndpointFacts[]> {
  return pool.query<EndpointFacts>(facts, [keys.map((k) => k.orgId), keys.map((k) => k.webhookId)]);
}
