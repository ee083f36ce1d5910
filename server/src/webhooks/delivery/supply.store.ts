import { type FeedEvent, type FeedRow, feedColumns, toFeedEvent } from '../../events/index.js';
import { type Pool, rowStatement, statement, type Tx } from '../../platform/database/index.js';
import { isUrgentEvent } from '../urgent.js';
import type { EndpointKey } from './lease.store.js';

const eventColumns = feedColumns('e');

const page = rowStatement(`
  select ${eventColumns} from events e
  where e.org_id = $1 and e.position > $2 and e.position <= $3 order by e.position limit $4`);

/** Events after a position of the feed, up to one that is known to exist. */
export async function readFeed(
  pool: Pool,
  orgId: string,
  after: number,
  upTo: number,
  limit: number,
): Promise<FeedEvent[]> {
  return (await pool.queryRows<FeedRow>(page, [orgId, after, upTo, limit])).map(toFeedEvent);
}

// Urgent events of the organization have no customer of their own: customers get views of them.
const urgentPage = (customer: string) =>
  rowStatement(`
  select ${eventColumns} from events e
  where e.org_id = $1 and e.customer_code ${customer} and ${isUrgentEvent('e')} and e.position > $2 and e.position <= $3
  order by e.position limit $4`);
const urgentOfAll = urgentPage('is null');
const urgentOfCustomer = urgentPage('= $5');

/** Urgent events after a position of the feed, for webhooks of one customer or (null) of the organization. */
export async function readUrgent(
  pool: Pool,
  orgId: string,
  customerCode: string | null,
  after: number,
  upTo: number,
  limit: number,
): Promise<FeedEvent[]> {
  const span = [orgId, after, upTo, limit];
  const rows =
    customerCode === null
      ? await pool.queryRows<FeedRow>(urgentOfAll, span)
      : await pool.queryRows<FeedRow>(urgentOfCustomer, [...span, customerCode]);
  return rows.map(toFeedEvent);
}

/** A stored push that is due, with its event. */
export interface DueDelivery extends FeedEvent {
  attempts: number;
}

type DueRow = [number, ...FeedRow];

const dueRows = (which: string) =>
  rowStatement(`
  select d.attempts, ${eventColumns}
  from webhook_deliveries d join events e on e.org_id = $1 and e.position = d.position
  where d.org_id = $1 and d.webhook_id = $2 and d.due_at <= $3 and d.position <> all($4::bigint[])
    and ($6 or d.manual or d.status <> 'recovering') ${which}
  order by d.due_at, d.position limit $5`);

const anyDue = dueRows('');
const urgentDue = dueRows('and d.urgent');

/** Due pushes except those already taken; `recovering` includes those being recovered. */
export function readDue(...input: DueInput): Promise<DueDelivery[]> {
  return read(anyDue, ...input);
}

export function readUrgentDue(...input: DueInput): Promise<DueDelivery[]> {
  return read(urgentDue, ...input);
}

type DueInput = [
  pool: Pool,
  endpoint: EndpointKey,
  now: Date,
  taken: readonly number[],
  limit: number,
  recovering: boolean,
];

async function read(
  due: typeof anyDue,
  ...[pool, { orgId, webhookId }, now, taken, limit, recovering]: DueInput
): Promise<DueDelivery[]> {
  const rows = await pool.queryRows<DueRow>(due, [orgId, webhookId, now, taken, limit, recovering]);
  return rows.map(([attempts, ...row]) => ({ ...toFeedEvent(row), attempts }));
}

const entitiesRecovering = statement(`
  select distinct e.entity_type || ' ' || e.entity_id as entity
  from webhook_deliveries d join events e on e.org_id = $1 and e.position = d.position
  where d.org_id = $1 and d.webhook_id = $2 and d.due_at is not null and d.status = 'recovering'
    and e.entity_type || ' ' || e.entity_id = any($3)`);

/** Returns the entities among these that have events waiting to be recovered. */
export async function findRecovering(
  tx: Tx,
  webhookId: string,
  entities: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ entity: string }>(entitiesRecovering, [tx.orgId, webhookId, entities]);
  return new Set(rows.map((row) => row.entity));
}
