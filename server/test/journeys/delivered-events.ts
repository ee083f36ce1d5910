import { expect, vi } from 'vitest';
import { sized } from '../harness/index.js';
import type { CrashWorld, Hook } from './crash-world.js';
import type { EventWriter } from './event-writer.js';
import type { OrderLoad } from './order-load.js';
import { digestOf } from './push-receiver.js';

export interface StoredEvent {
  orgId: string;
  eventId: string;
  eventType: string;
  entity: string;
  entityVersion: string;
  customerCode: string | null;
  body: string;
}

/** The changes that callers know were made in an organization. */
export const changesOfOrders = (load: OrderLoad): string[] =>
  load.sent.flatMap(({ orderNo, statuses }) => [
    ...statuses.slice(1).map((status, i) => `${orderNo} ${statuses[i]} > ${status}`),
    ...(statuses.includes('dispatched') ? [`${orderNo} left`] : []),
  ]);

const changeOfEvent = ({ eventType, body }: StoredEvent): string => {
  const { data } = JSON.parse(body) as { data: Record<string, string> };
  return eventType === 'order.status_changed'
    ? `${data.orderNo} ${data.previousStatus} > ${data.currentStatus}`
    : `${data.orderNo} left`;
};

const stored = `select org_id as "orgId", event_id as "eventId", event_type as "eventType",
    entity_type || ' ' || entity_id as entity, entity_version as "entityVersion", customer_code as "customerCode", body
  from events`;
const storedEvents = (world: CrashWorld, orgId: string) =>
  world.rows<StoredEvent>(`${stored} where org_id = $1 order by position`, [orgId]);
export const storedAs = (world: CrashWorld, orderNos: ReadonlySet<string>) =>
  world.rows<StoredEvent>(`${stored} where body::json -> 'data' ->> 'orderNo' = any($1)`, [[...orderNos]]);

const matching = (events: readonly StoredEvent[], { eventTypes, customerCode }: Hook) =>
  events.filter(
    (event) =>
      eventTypes.includes(event.eventType) && (customerCode === null || event.customerCode === customerCode),
  );

/** Each change that was made, and each event that was written, is stored once. Returns the events by organization. */
export async function expectEveryWrite(
  world: CrashWorld,
  loads: readonly OrderLoad[],
  writer: EventWriter,
): Promise<Map<string, StoredEvent[]>> {
  // Events are numbered a moment after the commit.
  await vi.waitFor(
    async () => expect(await world.rows('select from events where position is null')).toEqual([]),
    60_000,
  );
  const byOrg = new Map<string, StoredEvent[]>();
  for (const [i, { organization }] of world.orgs.entries()) {
    const { orgId } = organization;
    const events = await storedEvents(world, orgId);
    byOrg.set(orgId, events);
    const written = events.filter((event) => event.entity.startsWith('order written-'));
    const log = writer.log.filter((event) => event.orgId === orgId);
    expect(written.map(({ entity, entityVersion }) => `${entity}/${entityVersion}`).sort()).toEqual(
      log.map(({ orderNo }) => `order ${orderNo}`).sort(),
    );
    const changes = events.filter((event) => !event.entity.startsWith('order written-')).map(changeOfEvent);
    const load = loads[i];
    expect(changes.sort()).toEqual(load ? changesOfOrders(load).sort() : []);
  }
  return byOrg;
}

export async function expectDelivered(
  world: CrashWorld,
  hook: Hook,
  events: readonly StoredEvent[],
): Promise<void> {
  const expected = matching(events, hook);
  const { arrived } = world.receiver.at(hook.path);
  await vi.waitFor(() => expect(arrived.size).toBeGreaterThanOrEqual(expected.length), {
    timeout: sized(90_000, 600_000),
    interval: 50,
  });
  const digests = (entries: Iterable<readonly [string, string]>) => Object.fromEntries(entries);
  expect(digests([...arrived].map(([eventId, { digest }]) => [eventId, digest]))).toEqual(
    digests(expected.map(({ eventId, body }) => [eventId, digestOf(body)])),
  );
  const counts = { matched: expected.length, delivered: expected.length, pending: 0, failed: 0, skipped: 0 };
  await vi.waitFor(
    async () =>
      expect(await world.completeness(hook)).toEqual(
        expect.objectContaining({ ...counts, missingEventIds: [] }),
      ),
    { timeout: 60_000, interval: 100 },
  );
}

/** Entities of a webhook for which an attempt failed: later events may overtake the one to be retried. */
async function entitiesWithFailures(world: CrashWorld): Promise<Set<string>> {
  const rows = await world.rows<{ webhookId: string; entity: string }>(
    `select distinct a.webhook_id as "webhookId", e.entity_type || ' ' || e.entity_id as entity
     from webhook_attempts a join events e on e.org_id = a.org_id and e.position = a.position where not a.delivered`,
  );
  return new Set(rows.map(({ webhookId, entity }) => `${webhookId} ${entity}`));
}

/** Events whose first push came after that of a later event of the same entity. */
function overtaken(world: CrashWorld, events: readonly StoredEvent[], { path }: Hook): string[] {
  const { arrived } = world.receiver.at(path);
  const latest = new Map<string, number>();
  return events.flatMap(({ eventId, entity }) => {
    const place = arrived.get(eventId)?.firstPlace ?? 0;
    const before = latest.get(entity) ?? 0;
    latest.set(entity, Math.max(before, place));
    return place < before ? [`${path} ${entity} ${eventId}`] : [];
  });
}

/** A kill repeats pushes, but does not reorder first ones. */
export async function expectInOrder(
  world: CrashWorld,
  byOrg: ReadonlyMap<string, StoredEvent[]>,
): Promise<void> {
  const failures = await entitiesWithFailures(world);
  let judged = 0;
  const late = world.hooks.flatMap((hook) => {
    const steady = matching(byOrg.get(hook.orgId) ?? [], hook).filter(
      ({ entity }) => !failures.has(`${hook.webhookId} ${entity}`),
    );
    judged += steady.length;
    return overtaken(world, steady, hook);
  });
  expect(late).toEqual([]);
  expect(judged, 'invalid run: attempts failed for every entity').toBeGreaterThan(0);
}
