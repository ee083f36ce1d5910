import { joinClient, joinKey } from '../credentials/index.js';
import { joinGrant, readGrantEnds } from '../oauth/index.js';
import { joinUser } from '../people/index.js';
import { type Pool, statement, type Tx } from '../platform/database/index.js';
import { noteChange } from './note-change.store.js';
import type { OwnerIds } from './owner.js';

/** Joins the owner of the webhook `w`, for the expressions below. `org`: the parameter with the organization. */
export const joinOwner = (org = 'w.org_id'): string => `
  cross join lateral (select w.owner_key_id as key_id, w.owner_client_id as client_id, w.owner_user_id as user_id,
    w.owner_grant as grant_hash) owner
  left ${joinKey('owner', org)} left ${joinClient('owner', org)} left ${joinUser('owner', org)}`;
/** The same including its grant, which a distributed database stores on another node. */
export const joinOwnerAndGrant = `${joinOwner()} left ${joinGrant('owner')}`;

export const ownerJson = `json_build_object(
    'kind', case when w.owner_key_id is not null then 'key' when w.owner_client_id is not null then 'client'
      when w.owner_user_id is not null then 'user' else 'organization' end,
    'id', coalesce(w.owner_key_id, w.owner_client_id, w.owner_user_id), 'name', coalesce(k.name, c.name, u.email),
    'onBehalfOf', case when w.owner_client_id is not null then u.email end)`;

const endsAt = (...more: string[]) => `least(
    case when num_nonnulls(k.revoked_at, k.disabled_at) = 0 then k.expires_at else 'epoch' end,
    case when num_nonnulls(c.revoked_at, c.disabled_at) > 0 then 'epoch'::timestamptz end,
    ${["case when u.status <> 'active' then 'epoch'::timestamptz end", ...more].join(',\n    ')})`;
/** The last instant at which the owner is valid; null if nothing ends it by itself, the epoch once it has ended. */
export const ownerEndsAt = endsAt(
  "case when w.owner_grant is not null then coalesce(g.expires_at, 'epoch') end",
);
/** The same without the grant, which `endWithGrants` adds. */
export const ownerEnd = `${endsAt()} as "ownerEndsAt", w.owner_grant as "ownerGrant"`;

export interface OwnerEnd {
  ownerEndsAt: Date | null;
  ownerGrant: Buffer | null;
}

/** Takes into account that an owner ends with its grant. */
export async function endWithGrants<T extends OwnerEnd>(
  session: Pick<Pool, 'query'>,
  rows: readonly T[],
): Promise<T[]> {
  const ends = await readGrantEnds(
    session,
    rows.flatMap(({ ownerGrant }) => ownerGrant ?? []),
  );
  return rows.map((row) => {
    if (row.ownerGrant === null) return row;
    const grantEndsAt = ends.get(row.ownerGrant.toString('hex')) ?? new Date(0);
    return row.ownerEndsAt !== null && row.ownerEndsAt < grantEndsAt
      ? row
      : { ...row, ownerEndsAt: grantEndsAt };
  });
}

const hasEnded = ({ ownerEndsAt: at }: OwnerEnd, now: Date): boolean => at !== null && at < now;

const endOf = statement(
  `select ${ownerEnd} from webhooks w ${joinOwner('$1')} where w.org_id = $1 and w.webhook_id = $2`,
);

export async function hasOwnerEnded(tx: Tx, webhookId: string): Promise<boolean> {
  const rows = await endWithGrants(tx, await tx.query<OwnerEnd>(endOf, [tx.orgId, webhookId]));
  return rows.some((row) => hasEnded(row, tx.now));
}

const setOwner = statement(`
  update webhooks set owner_key_id = $3, owner_client_id = $4, owner_user_id = $5, owner_grant = $6, updated_at = $7
  where org_id = $1 and webhook_id = $2`);

export async function saveOwner(tx: Tx, webhookId: string, owner: OwnerIds): Promise<void> {
  const { keyId, clientId, userId, grantHash } = owner;
  tx.send(setOwner, [tx.orgId, webhookId, keyId, clientId, userId, grantHash, tx.now]);
}

const lockOwned = (condition: string) => `
  select w.webhook_id as "webhookId" from webhooks w join webhook_states s on s.org_id = $1 and s.webhook_id = w.webhook_id
  where w.org_id = $1 and s.status = 'enabled' and ${condition}
  order by w.webhook_id for update of s`;
const lockOf = {
  keyId: statement(lockOwned('w.owner_key_id = $2')),
  clientId: statement(lockOwned('w.owner_client_id = $2')),
  userId: statement(lockOwned('w.owner_user_id = $2')),
  grantHash: statement(lockOwned('w.owner_grant = $2')),
};

/** An owner that ends, by one of its ids. */
export type EndedOwner = { [K in keyof OwnerIds]: [by: K, id: NonNullable<OwnerIds[K]>] }[keyof OwnerIds];

const idsOf = (rows: readonly { webhookId: string }[]) => rows.map((row) => row.webhookId).sort();

/** Locks the enabled webhooks of this owner. */
export async function lockWebhooksOf(tx: Tx, [by, id]: EndedOwner): Promise<string[]> {
  return idsOf(await tx.query(lockOf[by], [tx.orgId, id]));
}

// The owner is read again in a statement after the lock, because it may have been replaced during the wait.
const lockStates = statement(`
  select 1 from webhook_states where org_id = $1 and webhook_id = any($2) order by webhook_id for update`);
const ends = statement(`
  select w.webhook_id as "webhookId", ${ownerEnd}
  from webhooks w join webhook_states s on s.org_id = $1 and s.webhook_id = w.webhook_id
  ${joinOwner('$1')}
  where w.org_id = $1 and w.webhook_id = any($2) and s.status = 'enabled'`);

/** Locks these webhooks, and returns those that are enabled although their owner has ended. */
export async function lockEnded(tx: Tx, webhookIds: readonly string[]): Promise<string[]> {
  tx.send(lockStates, [tx.orgId, webhookIds]);
  const rows = await tx.query<OwnerEnd & { webhookId: string }>(ends, [tx.orgId, webhookIds]);
  return idsOf((await endWithGrants(tx, rows)).filter((row) => hasEnded(row, tx.now)));
}

const end = statement(`
  update webhook_states set status = 'disabled', disabled_reason = 'owner_ended', disabled_at = $3, end_notice_due = true,
    next_due_at = null, version = version + 1
  where org_id = $1 and webhook_id = any($2)`);
const skipWaiting = statement(`
  update webhook_deliveries set status = case when status in ('retrying', 'recovering') then 'skipped' else status end,
    due_at = null, manual = false, resume_due_at = null, updated_at = $3
  where org_id = $1 and webhook_id = any($2) and due_at is not null`);

/** Stops sending: pending pushes become skipped and can be recovered, and a mail about it becomes due. */
export async function disableEnded(tx: Tx, webhookIds: readonly string[]): Promise<void> {
  tx.send(end, [tx.orgId, webhookIds, tx.now]);
  tx.send(skipWaiting, [tx.orgId, webhookIds, tx.now]);
  noteChange(tx, webhookIds);
}

const nextOrganizations = statement(`
  select org_id as "orgId" from webhook_states where org_id > $1 group by org_id order by org_id limit $2`);

/** Organizations with webhooks, in order, starting after this one. */
export async function organizationsWithWebhooks(pool: Pool, after: string, max: number): Promise<string[]> {
  return (await pool.query<{ orgId: string }>(nextOrganizations, [after, max])).map(({ orgId }) => orgId);
}

const unsettled = statement(`
  select s.org_id as "orgId", (array_agg(s.webhook_id order by s.webhook_id))[1:$3] as "webhookIds"
  from webhook_states s join webhooks w on w.org_id = s.org_id and w.webhook_id = s.webhook_id ${joinOwnerAndGrant}
  where s.org_id = any($1) and (s.end_notice_due or (s.status = 'enabled' and ${ownerEndsAt} < $2))
  group by s.org_id`);
const perhapsUnsettled = statement(`
  select s.webhook_id as "webhookId", s.end_notice_due as "isNoticeDue", ${ownerEnd}
  from webhook_states s join webhooks w on w.org_id = $1 and w.webhook_id = s.webhook_id ${joinOwner('$1')}
  where s.org_id = $1 and (s.end_notice_due or (s.status = 'enabled' and (w.owner_grant is not null or ${endsAt()} < $2)))
  order by s.webhook_id`);

/**
 * Webhooks whose owner has expired, or of whose end the administrators must be notified; a limited number per organization.
 */
export function findUnsettledEnds(
  pool: Pool,
  orgIds: readonly string[],
  now: Date,
  perOrganizationMax: number,
): Promise<{ orgId: string; webhookIds: string[] }[]> {
  return pool.isDistributed
    ? findUnsettledOneByOne(pool, orgIds, now, perOrganizationMax)
    : pool.query(unsettled, [orgIds, now, perOrganizationMax]);
}

/** For a distributed database, where a statement covers one organization and no grants. */
async function findUnsettledOneByOne(
  pool: Pool,
  orgIds: readonly string[],
  now: Date,
  max: number,
): Promise<{ orgId: string; webhookIds: string[] }[]> {
  const found: { orgId: string; webhookIds: string[] }[] = [];
  for (const orgId of orgIds) {
    const rows = await pool.query<OwnerEnd & { webhookId: string; isNoticeDue: boolean }>(perhapsUnsettled, [
      orgId,
      now,
    ]);
    const ended = (await endWithGrants(pool, rows)).filter((row) => row.isNoticeDue || hasEnded(row, now));
    if (ended.length > 0) found.push({ orgId, webhookIds: ended.map((row) => row.webhookId).slice(0, max) });
  }
  return found;
}

const takeNotices = statement(`
  update webhook_states set end_notice_due = false where org_id = $1 and webhook_id = any($2) and end_notice_due
  returning webhook_id as "webhookId"`);

/** Returns those webhooks of whose end the administrators must be notified, each only once. */
export async function takeEndNotices(tx: Tx, webhookIds: readonly string[]): Promise<string[]> {
  return idsOf(await tx.query(takeNotices, [tx.orgId, webhookIds]));
}
