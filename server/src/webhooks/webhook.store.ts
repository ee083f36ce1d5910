import { type Matches, noteSearchable } from '../indexing/index.js';
import { Filter, type ListPage, listRows, statement, type Tx } from '../platform/database/index.js';
import type { CodeFilter } from './code-filter.rules.js';
import { TO_ENABLE } from './delivery-overview.store.js';
import { concerns, filterJson, passes } from './matched.store.js';
import { noteChange } from './note-change.store.js';
import type { OwnerIds } from './owner.js';
import { joinOwner, ownerJson } from './owner.store.js';
import {
  type DisabledReason,
  type SealedHeaders,
  type SealedSecrets,
  WEBHOOKS_TOPIC,
  type Webhook,
  type WebhookStatus,
} from './webhook.js';

const UNSTORED_MAX = 1_000;
/**
 * When the oldest event happened that failed or was skipped. Events that a disabled webhook misses are stored as skipped
 * within a second or so; those not stored yet are above its watermark, and only that stretch of the feed is searched.
 */
const missedSince = `least(
    (select min(d.occurred_at) from webhook_deliveries d
     where d.org_id = $1 and d.webhook_id = w.webhook_id and d.status in ('failed', 'skipped')),
    case when s.status = 'disabled' or s.settled_to < s.send_from then (
      select min(e.at) from (select n.position, n.at, n.event_type, n.customer_code, n.customer_view, n.concerns from events n
        where n.org_id = $1 and n.position > s.settled_to and (s.status = 'disabled' or n.position <= s.send_from)
        order by n.position limit ${UNSTORED_MAX}) e
      where ${concerns('e', 'w.customer_code')}
        and exists (select from (select u.event_types, u.filter_customers, u.filter_warehouses, u.filter_products from webhook_subscriptions u
            where u.org_id = $1 and u.webhook_id = w.webhook_id and u.after_position < e.position
            order by u.after_position desc limit 1) u
          where e.event_type = any(u.event_types) and ${passes('e', 'u')})
        and not exists (select from webhook_deliveries d
          where d.org_id = $1 and d.webhook_id = w.webhook_id and d.position = e.position)
        and not exists (select from webhook_attempts a
          where a.org_id = $1 and a.webhook_id = w.webhook_id and a.position = e.position and a.delivered)) end)`;

const columns = `w.webhook_id as "webhookId", w.callback_url as "callbackUrl", w.event_types as "eventTypes", ${filterJson('w')} as filter,
  w.header_names as "headerNames", w.description,
  w.customer_code as "customerCode", ${ownerJson} as owner, s.status, s.disabled_reason as "disabledReason", s.disabled_at as "disabledAt",
  s.consecutive_failures as "consecutiveFailures", s.failing_since as "failingSince",
  ${missedSince} as "missedSince", w.overlap_until as "overlapUntil",
  w.created_by as "createdBy", w.created_at as "createdAt", w.updated_at as "updatedAt"`;
const joined = `from webhooks w join webhook_states s on s.org_id = $1 and s.webhook_id = w.webhook_id ${joinOwner('$1')}
  where w.org_id = $1 and w.deleted_at is null`;

const insertWebhook = statement(`
  insert into webhooks (org_id, webhook_id, callback_url, event_types, description, customer_code, secret, created_at, created_by, updated_at,
    owner_key_id, owner_client_id, owner_user_id, owner_grant, filter_customers, filter_warehouses, filter_products, headers, header_names)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $8, $10, $11, $12, $13, $14, $15, $16, $17, $18)`);
const insertState = statement(`
  insert into webhook_states (org_id, webhook_id, status, consecutive_failures, settled_to, send_from, version,
    delivered_total, failed_total, duration_ms_total)
  values ($1, $2, 'enabled', 0, $3, $3, 1, 0, 0, 0)`);
const subscribe = statement(`
  insert into webhook_subscriptions (org_id, webhook_id, after_position, event_types, filter_customers, filter_warehouses, filter_products)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (org_id, webhook_id, after_position) do update set event_types = excluded.event_types,
    filter_customers = excluded.filter_customers, filter_warehouses = excluded.filter_warehouses, filter_products = excluded.filter_products`);

const filterValues = ({ customerCodes, warehouses, productCodes }: CodeFilter) => [
  customerCodes,
  warehouses,
  productCodes,
];

export async function insertNewWebhook(
  tx: Tx,
  webhook: Pick<
    Webhook,
    'webhookId' | 'callbackUrl' | 'eventTypes' | 'filter' | 'description' | 'customerCode'
  >,
  owner: OwnerIds,
  sealed: { secret: string } & SealedHeaders,
  head: number,
): Promise<void> {
  const { webhookId, callbackUrl, eventTypes, filter, description, customerCode } = webhook;
  tx.send(insertWebhook, [
    tx.orgId,
    webhookId,
    callbackUrl,
    eventTypes,
    description,
    customerCode,
    sealed.secret,
    tx.now,
    tx.actor,
    owner.keyId,
    owner.clientId,
    owner.userId,
    owner.grantHash,
    ...filterValues(filter),
    sealed.headers,
    sealed.headerNames,
  ]);
  tx.send(insertState, [tx.orgId, webhookId, head]);
  noteSearchable(tx, 'webhook', [webhookId]);
  await saveSubscription(tx, { webhookId, eventTypes, filter }, head);
}

// Two concurrent creations must not both see room for one.
const lockCount = statement(
  "select pg_advisory_xact_lock(hashtextextended('lotward webhooks of ' || $1, 0))",
);
const count = statement(`
  select count(*) as count from webhooks
  where org_id = $1 and deleted_at is null and customer_code is not distinct from $2`);

/** The number of webhooks of the customer, or of the organization itself. No other is created until the transaction ends. */
export async function lockWebhookCount(tx: Tx, customerCode: string | null): Promise<number> {
  tx.send(lockCount, [tx.orgId]);
  const [row] = await tx.query<{ count: number }>(count, [tx.orgId, customerCode]);
  return row?.count ?? 0;
}

/** `owner`: the id of a key, a client or a person (or of one on whose behalf a client acts); `organization` for none. */
export interface WebhookFilter {
  /** Limited to those found by text. */
  matches?: Matches<'webhook'> | undefined;
  customerCode?: string | null | undefined;
  owner?: string | undefined;
  task?: 'webhooks_disabled' | undefined;
}

const OF_ORGANIZATION = 'num_nonnulls(w.owner_key_id, w.owner_client_id, w.owner_user_id) = 0';

export async function listWebhooks(
  tx: Tx,
  { matches, customerCode, owner, task }: WebhookFilter,
  page: ListPage,
): Promise<Webhook[]> {
  const isOrganization = owner === 'organization';
  const filter = new Filter(isOrganization ? OF_ORGANIZATION : 'true', [tx.orgId, page.limit]);
  const order = filter.page(page, {
    ...{ id: 'w.webhook_id', direction: 'desc', updatedAt: 'w.updated_at' },
    sorts: { createdAt: 'w.webhook_id' },
  });
  filter
    .either([{ 'w.webhook_id': matches?.webhook }])
    .and('w.customer_code = ?', customerCode)
    .and('? in (w.owner_key_id, w.owner_client_id, w.owner_user_id)', isOrganization ? null : owner);
  if (task) filter.require(TO_ENABLE);
  return listRows<Webhook>(tx, page, filter, {
    rows: `select ${columns} ${joined} and ${filter.where} order by ${order} limit $2`,
    counted: `select ${joined} and ${filter.where} limit $2`,
  });
}

const one = statement(`select ${columns} ${joined} and w.webhook_id = $2`);
const lock = statement('select 1 from webhook_states where org_id = $1 and webhook_id = $2 for update');

export async function findWebhook(tx: Tx, webhookId: string): Promise<Webhook | null> {
  const [row] = await tx.query<Webhook>(one, [tx.orgId, webhookId]);
  return row ?? null;
}

/** The state row is the lock of a webhook: the worker that holds its lease locks it too when it writes results. */
export async function lockWebhookState(tx: Tx, webhookId: string): Promise<void> {
  tx.send(lock, [tx.orgId, webhookId]);
}

const secretsOf = statement(`
  select secret, next_secret as "nextSecret", overlap_until as "overlapUntil", headers from webhooks
  where org_id = $1 and webhook_id = $2`);
const replaceSecrets = statement(`
  update webhooks set secret = $3, next_secret = $4, overlap_until = $5, updated_at = $6
  where org_id = $1 and webhook_id = $2`);

export async function readSecrets(
  tx: Tx,
  webhookId: string,
): Promise<SealedSecrets & Pick<SealedHeaders, 'headers'>> {
  const [row] = await tx.query<SealedSecrets & Pick<SealedHeaders, 'headers'>>(secretsOf, [
    tx.orgId,
    webhookId,
  ]);
  if (!row) throw new Error('webhook without secrets');
  return row;
}

export async function saveSecrets(tx: Tx, webhookId: string, secrets: SealedSecrets): Promise<void> {
  const { secret, nextSecret, overlapUntil } = secrets;
  tx.send(replaceSecrets, [tx.orgId, webhookId, secret, nextSecret, overlapUntil, tx.now]);
}

const update = statement(`
  update webhooks set callback_url = $3, event_types = $4, description = $5, updated_at = $6,
    filter_customers = $7, filter_warehouses = $8, filter_products = $9
  where org_id = $1 and webhook_id = $2`);
const incrementVersion = statement(
  'update webhook_states set version = version + 1 where org_id = $1 and webhook_id = $2',
);

export async function saveWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  const { webhookId, callbackUrl, eventTypes, filter, description } = webhook;
  const values = [tx.orgId, webhookId, callbackUrl, eventTypes, description, tx.now];
  tx.send(update, [...values, ...filterValues(filter)]);
  noteSearchable(tx, 'webhook', [webhookId]);
}

export async function saveSubscription(
  tx: Tx,
  { webhookId, eventTypes, filter }: Pick<Webhook, 'webhookId' | 'eventTypes' | 'filter'>,
  head: number,
): Promise<void> {
  tx.send(subscribe, [tx.orgId, webhookId, head, eventTypes, ...filterValues(filter)]);
}

const replaceHeaders = statement(
  'update webhooks set headers = $3, header_names = $4 where org_id = $1 and webhook_id = $2',
);

export function saveHeaders(tx: Tx, webhookId: string, { headers, headerNames }: SealedHeaders): void {
  tx.send(replaceHeaders, [tx.orgId, webhookId, headers, headerNames]);
}

/** Makes the worker that sends for it reload its configuration. */
export async function markChanged(tx: Tx, webhookId: string): Promise<void> {
  tx.send(incrementVersion, [tx.orgId, webhookId]);
  tx.announce(WEBHOOKS_TOPIC);
}

const setStatus = statement(`
  update webhook_states set status = $3, disabled_reason = $4, disabled_at = $5
  where org_id = $1 and webhook_id = $2`);
const enableAgain = statement(`
  update webhook_states set status = 'enabled', disabled_reason = null, disabled_at = null, consecutive_failures = 0,
    failing_since = null, end_notice_due = false, send_from = greatest(send_from, $3)
  where org_id = $1 and webhook_id = $2`);
const skipWaiting = statement(`
  update webhook_deliveries set status = case when status in ('retrying', 'recovering') then 'skipped' else status end,
    due_at = null, manual = false, resume_due_at = null, updated_at = $3
  where org_id = $1 and webhook_id = $2 and due_at is not null`);
const nothingDue = statement(
  'update webhook_states set next_due_at = null where org_id = $1 and webhook_id = $2',
);

/** Stops sending: pending pushes become skipped and can be recovered. */
export async function disable(tx: Tx, webhookId: string, reason: DisabledReason): Promise<void> {
  tx.send(setStatus, [tx.orgId, webhookId, 'disabled' satisfies WebhookStatus, reason, tx.now]);
  tx.send(skipWaiting, [tx.orgId, webhookId, tx.now]);
  tx.send(nothingDue, [tx.orgId, webhookId]);
  noteChange(tx, [webhookId]);
}

/** Events up to `sendFrom` that were not sent stay skipped. */
export async function enable(tx: Tx, webhookId: string, sendFrom: number): Promise<void> {
  tx.send(enableAgain, [tx.orgId, webhookId, sendFrom]);
  noteChange(tx, [webhookId]);
}

const markDeleted = statement('update webhooks set deleted_at = $3 where org_id = $1 and webhook_id = $2');
const dropState = statement('delete from webhook_states where org_id = $1 and webhook_id = $2');

export async function remove(tx: Tx, webhookId: string): Promise<void> {
  tx.send(markDeleted, [tx.orgId, webhookId, tx.now]);
  tx.send(dropState, [tx.orgId, webhookId]);
  noteSearchable(tx, 'webhook', [webhookId]);
}
