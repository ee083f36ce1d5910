import {
  bulkRows,
  Filter,
  filteredStatement,
  organizationRow,
  type Pool,
  readInIndexOrder,
  rowStatement,
  statement,
  type Tx,
} from '../platform/database/index.js';
import { type FeedEvent, type FeedRow, feedColumns, toFeedEvent } from './feed-event.js';
import { type Subjects, subjectChoices } from './subjects.js';

export interface StoredEvent {
  eventId: string;
  eventType: string;
  at: Date;
  entityType: string;
  entityId: string;
  entityVersion: number;
  customerCode: string | null;
  /** Only its customer may read it. */
  isCustomerView: boolean;
  /** The codes it concerns, as JSON. */
  concerns: string;
  body: string;
}

const eventColumns = bulkRows({
  event_id: 'text',
  event_type: 'text',
  at: 'timestamptz',
  entity_type: 'text',
  entity_id: 'text',
  entity_version: 'bigint',
  customer_code: 'text',
  customer_view: 'boolean',
  concerns: 'jsonb',
  body: 'text',
});
const insert = statement(`
  insert into events (org_id, ${eventColumns.names()})
  select g.org_id, ${eventColumns.names('e')} from ${organizationRow('g')}, ${eventColumns.from('e', 2)}
  returning 1`);

export async function insertEvents(tx: Tx, events: readonly StoredEvent[]): Promise<void> {
  tx.send(insert, [
    tx.orgId,
    ...eventColumns.values(events, (e) => ({
      event_id: e.eventId,
      event_type: e.eventType,
      at: e.at,
      entity_type: e.entityType,
      entity_id: e.entityId,
      entity_version: e.entityVersion,
      customer_code: e.customerCode,
      customer_view: e.isCustomerView,
      concerns: e.concerns,
      body: e.body,
    })),
  ]);
}

const organizationsToNumber = statement(
  'select org_id as "orgId" from events where position is null group by org_id',
);
const anyUnnumbered = statement('select 1 from events where org_id = $1 and position is null limit 1');
const startHead = statement(
  'insert into event_heads (org_id, position) values ($1, 0) on conflict (org_id) do nothing',
);
const lockHead = statement('select position from event_heads where org_id = $1 for update');
const nextUnnumbered = statement(`
  select event_id as "eventId" from events
  where org_id = $1 and position is null order by at, entity_version, event_id limit $2`);
// Selected by key alone: with a join or "position is null", the planner could scan the whole backlog for every batch,
// because its statistics usually show no unnumbered events. The head is locked, so these are still unnumbered.
const numberNext = statement(`
  update events set position = $2::bigint + array_position($3::text[], event_id)
  where org_id = $1 and event_id = any($3)`);
const moveHead = statement('update event_heads set position = $2 where org_id = $1');

export async function organizationsWithUnnumbered(worker: Pool): Promise<string[]> {
  return (await worker.query<{ orgId: string }>(organizationsToNumber, [])).map((row) => row.orgId);
}

export async function hasUnnumbered(worker: Pool, orgId: string): Promise<boolean> {
  return (await worker.query(anyUnnumbered, [orgId])).length > 0;
}

/**
 * Numbers the next committed events and returns the last position given. A statement of its own locks the head first, so
 * that the next statement sees everything numbered before.
 */
export async function numberNextEvents(tx: Tx, limit: number): Promise<{ head: number; numbered: number }> {
  await readInIndexOrder(tx);
  for (let attempt = 1; attempt <= 2; attempt++) {
    const [[last], next] = await Promise.all([
      tx.query<{ position: number }>(lockHead, [tx.orgId]),
      tx.query<{ eventId: string }>(nextUnnumbered, [tx.orgId, limit]),
    ]);
    if (!last) {
      tx.send(startHead, [tx.orgId]);
      continue;
    }
    const head = last.position + next.length;
    if (next.length > 0) {
      tx.send(numberNext, [tx.orgId, last.position, next.map((event) => event.eventId)]);
      tx.send(moveHead, [tx.orgId, head]);
    }
    return { head, numbered: next.length };
  }
  throw new Error('event head not created');
}

// One statement, without locking first: the events it sees as unnumbered stay so unless the head moves. If another process
// moves it meanwhile, nothing is changed.
const numberIfAlone = rowStatement(`
  with next as materialized (
    select event_id from events where org_id = $1 and position is null order by at, entity_version, event_id limit $2),
  head as (
    update event_heads h set position = h.position + (select count(*) from next)
    where h.org_id = $1 and h.position = (select s.position from event_heads s where s.org_id = $1) and exists (select 1 from next)
    returning h.position),
  numbered as (
    update events e set position = (select position from head) - (select count(*) from next)
      + array_position(array(select event_id from next), e.event_id)
    where e.org_id = $1 and e.event_id = any(array(select event_id from next)) and exists (select 1 from head)
    returning ${feedColumns('e')})
  select (select position from head), (select s.position from event_heads s where s.org_id = $1), (select count(*) from next),
    (select incarnation()), n.*
  from (select 1) one left join numbered n on $3::boolean`);
type NumberedRow = [
  head: number | null,
  headBefore: number | null,
  waiting: number,
  incarnation: string,
  ...FeedRow,
];

export interface NumberedEvents {
  /** Null: another process numbered events at the same time, or the organization has no head yet. */
  head: number | null;
  /** How many events had no number, up to the limit. */
  waiting: number;
  incarnation: string;
  /** In the order of their positions; empty if not requested. */
  events: FeedEvent[];
}

/** Numbers the next committed events and reads them, in one statement. */
export async function numberAndRead(tx: Tx, limit: number, withEvents: boolean): Promise<NumberedEvents> {
  await readInIndexOrder(tx);
  const rows = await tx.query<NumberedRow>(numberIfAlone, [tx.orgId, limit, withEvents]);
  const [[head, headBefore, waiting, incarnation] = [null, null, 0, '']] = rows;
  const events = head === null || !withEvents ? [] : rows.map(([, , , , ...row]) => toFeedEvent(row));
  return {
    head: head ?? (waiting === 0 ? (headBefore ?? 0) : null),
    waiting,
    incarnation,
    events: events.sort((a, b) => a.position - b.position),
  };
}

const headOf = statement(`
  select position, removed_to as "removedTo",
    (select event_id from events where org_id = $1 and position = h.position) as "eventId",
    (select event_id from events where org_id = $1 and position = $2) as "askedEventId"
  from event_heads h where org_id = $1`);

export interface EventHead {
  position: number;
  removedTo: number;
  /** The events at the head and at the requested position; null if there is none, or it was removed by age. */
  eventId: string | null;
  askedEventId: string | null;
}

export async function readEventHead(tx: Tx, askedPosition = 0): Promise<EventHead> {
  const [head] = await tx.query<EventHead>(headOf, [tx.orgId, askedPosition]);
  return head ?? { position: 0, removedTo: 0, eventId: null, askedEventId: null };
}

export interface FeedFilter {
  types: readonly string[];
  /** Null: everything except the views of customers. */
  customerCode: string | null;
  /** Only events at or after this instant. */
  since?: string | undefined;
  /** Only events about these. */
  subjects?: Subjects | undefined;
}

/** `from` and `to` are positions, both inclusive. */
export async function readEvents(
  tx: Tx,
  { types, customerCode, since, subjects }: FeedFilter,
  { from, to }: { from: number; to: number },
  { order, limit }: { order: 'asc' | 'desc'; limit: number },
): Promise<{ position: number; body: string }[]> {
  const whose = customerCode === null ? 'not customer_view' : 'true';
  const list = new Filter(
    `org_id = $1 and position >= $2 and position <= $3 and event_type = any($5) and ${whose}`,
    [tx.orgId, from, to, limit, types],
  );
  list.and('customer_code = ?', customerCode).and('at >= ?', since).either(subjectChoices(subjects));
  const sql = `select position, body from events where ${list.where} order by position ${order} limit $4`;
  return tx.query(filteredStatement(list, sql), list.values);
}

/** The newest positions of events about these records, before a position if one is given. */
export async function readPositionsOf(
  tx: Tx,
  subjects: Subjects,
  before: number | null,
  limit: number,
): Promise<number[]> {
  const list = new Filter('org_id = $1 and position is not null', [tx.orgId, limit]);
  list.and('position < ?', before).either(subjectChoices(subjects));
  const sql = `select position from events where ${list.where} order by position desc limit $2`;
  return (await tx.query<{ position: number }>(filteredStatement(list, sql), list.values)).map(
    (row) => row.position,
  );
}

// An event gets its instant when its transaction begins and its position after the commit. So an event of a long transaction
// can follow later ones, but no transaction takes a minute. `offset 0` stops the planner from walking the positions.
const firstSince = statement(`
  select min(position) as position from (
    select e.position from events e
    where e.org_id = $1 and e.position is not null and e.at >= $2 and e.at < (
      select min(f.at) from events f where f.org_id = $1 and f.position is not null and f.at >= $2) + interval '1 minute'
    offset 0) e`);

/** The first position with an event at or after this instant; Infinity if there is none. */
export async function readFirstSince(tx: Tx, since: string): Promise<number> {
  const [row] = await tx.query<{ position: number | null }>(firstSince, [tx.orgId, since]);
  return row?.position ?? Number.POSITIVE_INFINITY;
}

const typesBetween = statement(`
  select distinct event_type as "eventType" from events where org_id = $1 and position > $2 and position <= $3`);

export async function readTypesBetween(tx: Tx, after: number, upTo: number): Promise<string[]> {
  const rows = await tx.query<{ eventType: string }>(typesBetween, [tx.orgId, after, upTo]);
  return rows.map((row) => row.eventType);
}

const organizationsToRemove = statement(
  'select org_id as "orgId" from events where at < $1 and position is not null group by org_id',
);
const removeOld = statement(`
  delete from events where org_id = $1 and event_id = any(array(
    select event_id from events where org_id = $1 and position is not null and at < $2 order by at limit $3))
  returning position`);
const noteRemoved = statement(
  'update event_heads set removed_to = greatest(removed_to, $2) where org_id = $1',
);

export async function organizationsWithOldEvents(worker: Pool, before: Date): Promise<string[]> {
  return (await worker.query<{ orgId: string }>(organizationsToRemove, [before])).map((row) => row.orgId);
}

export async function removeOldEvents(tx: Tx, before: Date, limit: number): Promise<number> {
  const rows = await tx.query<{ position: number }>(removeOld, [tx.orgId, before, limit]);
  if (rows.length > 0) tx.send(noteRemoved, [tx.orgId, Math.max(...rows.map((row) => row.position))]);
  return rows.length;
}
