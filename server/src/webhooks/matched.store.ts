import { organizationRow, statement, type Tx } from '../platform/database/index.js';
import { isUrgentEvent } from './urgent.js';

/**
 * SQL: the event `e` is for a webhook of this customer. A webhook of the organization (null) gets everything but the views of
 * customers.
 */
export const concerns = (e: string, customerCode: string): string =>
  `(${customerCode} is null and not ${e}.customer_view or ${e}.customer_code = ${customerCode})`;

const DIMENSIONS = { customerCodes: 'customers', warehouses: 'warehouses', productCodes: 'products' };

/**
 * SQL: in every dimension that the row `f` narrows, the event `e` concerns one of its codes, as `matcherOf` decides in a
 * worker. Written as a test for null, because the planner expects other conditions on functions to match few rows and would
 * stop using the index.
 */
export const passes = (e: string, f: string): string => {
  const tests = Object.entries(DIMENSIONS).map(
    ([dimension, column]) =>
      `coalesce(jsonb_exists_any(${e}.concerns->'${dimension}', ${f}.filter_${column}), true)`,
  );
  return `nullif(${tests.join(' and ')}, false) is not null`;
};

/** SQL: the filter of the row `f` as an object. */
export const filterJson = (f: string): string =>
  `json_build_object(${Object.entries(DIMENSIONS)
    .map(([dimension, column]) => `'${dimension}', ${f}.filter_${column}`)
    .join(', ')})`;

/**
 * The events that a webhook subscribed to, from the history of its subscriptions; `$1` organization, `$2` webhook. Its
 * pushes would not do: a push that was never made would be missing there too.
 */
export const matchedEvents = `
  spans as (
    select u.after_position, coalesce(lead(u.after_position) over (order by u.after_position), 9223372036854775807) as to_position,
      u.event_types, u.filter_customers, u.filter_warehouses, u.filter_products, w.customer_code
    from webhook_subscriptions u join webhooks w on w.org_id = $1 and w.webhook_id = u.webhook_id
    where u.org_id = $1 and u.webhook_id = $2),
  matched as (
    select e.position, e.event_id, e.event_type, e.at from events e
    where e.org_id = $1 and e.position is not null and exists (select 1 from spans s
      where e.position > s.after_position and e.position <= s.to_position and e.event_type = any(s.event_types)
        and ${concerns('e', 's.customer_code')} and ${passes('e', 's')}))`;

const skip = statement(`
  insert into webhook_deliveries (org_id, webhook_id, position, occurred_at, status, attempts, tries, updated_at, urgent)
  with ${matchedEvents}
  select g.org_id, $2, m.position, m.at, 'skipped', 0, 0, $5, ${isUrgentEvent('m')} from ${organizationRow('g')}, matched m
  where m.position > $3 and m.position <= $4
    and not exists (select 1 from webhook_attempts a where a.org_id = $1 and a.webhook_id = $2
      and a.position = m.position and a.delivered)
  on conflict (org_id, webhook_id, position) do nothing returning 1`);

/** Stores undelivered events between two positions as skipped; called under the lock of the state. */
export async function skipBetween(tx: Tx, webhookId: string, after: number, upTo: number): Promise<void> {
  if (upTo > after) tx.send(skip, [tx.orgId, webhookId, after, upTo, tx.now]);
}

const sendableTypes = statement(`
  select distinct t.event_type as "eventType" from (
    select u.event_types, u.after_position, lead(u.after_position) over (order by u.after_position) as to_position
    from webhook_subscriptions u where u.org_id = $1 and u.webhook_id = $2) s
  cross join lateral unnest(s.event_types) as t(event_type)
  where s.to_position is null or exists (select from events e
    where e.org_id = $1 and e.position > s.after_position and e.position <= s.to_position)`);

/** The types it is subscribed to, and those of earlier subscriptions whose events are still stored. */
export async function readSendableTypes(tx: Tx, webhookId: string): Promise<string[]> {
  const rows = await tx.query<{ eventType: string }>(sendableTypes, [tx.orgId, webhookId]);
  return rows.map((row) => row.eventType);
}

const bodyAt = statement('select body from events where org_id = $1 and position = $2');

export async function readEventBody(tx: Tx, position: number): Promise<string> {
  const [row] = await tx.query<{ body: string }>(bodyAt, [tx.orgId, position]);
  if (!row) throw new Error('event without a body');
  return row.body;
}
