import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callApi, fullTier, sized } from '../harness/index.js';
import { Chance } from './chance.js';
import { CrashWorld, CUSTOMER, FAULTS, type Fault, type Hook, hit, killed } from './crash-world.js';
import { EventWriter } from './event-writer.js';
import { OrderLoad, type Wire } from './order-load.js';
import { afterMs } from './pace.js';
import { digestOf } from './push-receiver.js';

const EVENTS = sized(400, 100_000);
const ROUNDS = sized(3, 24);
const ORGANIZATIONS = sized(2, 3);
const CLIENTS = 3;
/** Events written at once in each organization, and how often, until the last kill. */
const BATCH = sized(8, 50);
const WRITE_EVERY_MS = 200;
const SEED = Number(process.env.LOTWARD_TEST_SEED ?? randomInt(2 ** 31));
/** A key may make 1,000 requests a minute, and each client has its own. */
const PACE_MS = 70;
const TAKEN_OVER_WITHIN_MS = 15_000;

interface StoredEvent {
  orgId: string;
  eventId: string;
  eventType: string;
  entity: string;
  entityVersion: string;
  customerCode: string | null;
  body: string;
}

const world = new CrashWorld();
beforeAll(() => world.open(ORGANIZATIONS), 120_000);
afterAll(() => world.close(), 60_000);

const wire: Wire = {
  async post(path, body, key, idempotencyKey) {
    await afterMs(PACE_MS);
    const headers = { 'idempotency-key': idempotencyKey };
    return callApi(world.url, 'POST', path, body, key, headers).catch(() => null);
  },
  recovered: (idempotencyKey) =>
    vi.waitFor(
      async () => {
        expect((await callApi(world.url, 'GET', '/readyz')).status).toBe(200);
        const kept = await world.rows('select 1 from idempotency_keys where key = $1', [idempotencyKey]);
        return kept.length > 0;
      },
      { timeout: 60_000, interval: 50 },
    ),
};

/** Orders through the API in every organization, each client with keys of its own. */
async function beginOrders(): Promise<OrderLoad[]> {
  return Promise.all(
    world.orgs.map(async (org, i) => {
      const staff = await Promise.all(
        Array.from({ length: CLIENTS }, async () => ({
          picker: (await org.newKey({ owner: 'picker@test.example' })).apiKey,
          checker: (await org.newKey({ owner: 'checker@test.example' })).apiKey,
        })),
      );
      const chance = new Chance(SEED + i);
      return new OrderLoad(wire, staff, (below) => chance.below(below)).begin(CLIENTS);
    }),
  );
}

/** Writes in all organizations until the signal, or until there are so many. */
async function writeEvents(writer: EventWriter, until: AbortSignal, most: number): Promise<void> {
  const enough = writer.log.length + most;
  await Promise.all(
    world.orgs.map(async ({ organization }, i) => {
      for (let n = i; !until.aborted && writer.log.length < enough; n++) {
        await writer.write(organization.orgId, BATCH, n % 2 === 0 ? CUSTOMER : null);
        await afterMs(WRITE_EVERY_MS);
      }
    }),
  );
}

/** Every kind at least once, in random order; by default the worker first, so that its leases expire during the rest. */
function drawFaults(chance: Chance): Fault[] {
  if (!fullTier) return ['worker', 'database', 'api'];
  const kinds: Fault[] = [...FAULTS];
  const faults = Array.from({ length: ROUNDS }, (_, i) => kinds[i % kinds.length] ?? 'worker');
  for (let i = faults.length - 1; i > 0; i--) {
    const j = chance.below(i + 1);
    [faults[i], faults[j]] = [faults[j] ?? 'worker', faults[i] ?? 'worker'];
  }
  return faults;
}

const pushesGrow = (by: number) => {
  const known = world.receiver.pushes;
  return vi.waitFor(() => expect(world.receiver.pushes).toBeGreaterThan(known + by), {
    timeout: 60_000,
    interval: 20,
  });
};

/** The changes that callers know were made in an organization. */
const changesOfOrders = (load: OrderLoad): string[] =>
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
const storedEvents = (orgId: string) =>
  world.rows<StoredEvent>(`${stored} where org_id = $1 order by position`, [orgId]);
const storedAs = (orderNos: ReadonlySet<string>) =>
  world.rows<StoredEvent>(`${stored} where body::json -> 'data' ->> 'orderNo' = any($1)`, [[...orderNos]]);

const matching = (events: readonly StoredEvent[], { eventTypes, customerCode }: Hook) =>
  events.filter(
    (event) =>
      eventTypes.includes(event.eventType) && (customerCode === null || event.customerCode === customerCode),
  );

/** Entities of a webhook for which an attempt failed: later events may overtake the one to be retried. */
async function entitiesWithFailures(): Promise<Set<string>> {
  const rows = await world.rows<{ webhookId: string; entity: string }>(
    `select distinct a.webhook_id as "webhookId", e.entity_type || ' ' || e.entity_id as entity
     from webhook_attempts a join events e on e.org_id = a.org_id and e.position = a.position where not a.delivered`,
  );
  return new Set(rows.map(({ webhookId, entity }) => `${webhookId} ${entity}`));
}

/** Events whose first push came after that of a later event of the same entity. */
function overtaken(events: readonly StoredEvent[], { path }: Hook): string[] {
  const { arrived } = world.receiver.at(path);
  const latest = new Map<string, number>();
  return events.flatMap(({ eventId, entity }) => {
    const place = arrived.get(eventId)?.firstPlace ?? 0;
    const before = latest.get(entity) ?? 0;
    latest.set(entity, Math.max(before, place));
    return place < before ? [`${path} ${entity} ${eventId}`] : [];
  });
}

async function expectDelivered(hook: Hook, events: readonly StoredEvent[]): Promise<void> {
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

/** A kill repeats pushes, but does not reorder first ones. */
async function expectInOrder(byOrg: ReadonlyMap<string, StoredEvent[]>): Promise<void> {
  const failures = await entitiesWithFailures();
  let judged = 0;
  const late = world.hooks.flatMap((hook) => {
    const steady = matching(byOrg.get(hook.orgId) ?? [], hook).filter(
      ({ entity }) => !failures.has(`${hook.webhookId} ${entity}`),
    );
    judged += steady.length;
    return overtaken(steady, hook);
  });
  expect(late).toEqual([]);
  expect(judged, 'invalid run: attempts failed for every entity').toBeGreaterThan(0);
}

async function expectEveryWrite(loads: readonly OrderLoad[], writer: EventWriter) {
  const byOrg = new Map<string, StoredEvent[]>();
  for (const [i, { organization }] of world.orgs.entries()) {
    const { orgId } = organization;
    const events = await storedEvents(orgId);
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

describe('pushes, while workers, API and database are killed at any moment', () => {
  it(
    `every event reaches every endpoint that subscribed to it (N = ${EVENTS} events, ${ROUNDS} kills, seed ${SEED})`,
    async () => {
      const beganMs = performance.now();
      const chance = new Chance(SEED);
      const pace = new Chance(SEED + 100);
      // Slow answers, so that pushes are in flight when their worker is killed.
      world.receiver.answerAfterMs = () => 5 + pace.below(75);
      const writer = new EventWriter(world.database);
      const loads = await beginOrders();
      const survived = new AbortController();
      const writing = writeEvents(writer, survived.signal, EVENTS);
      const moments: string[] = [];
      for (const fault of drawFaults(chance)) {
        await pushesGrow(20);
        const delayMs = chance.below(600);
        await afterMs(delayMs);
        await world.strike(fault);
        moments.push(`${fault} after ${delayMs} ms`);
      }
      await world.restarted();
      await pushesGrow(20);
      survived.abort();
      await Promise.all([writing, ...loads.map((load) => load.finish())]);
      expect(loads.flatMap((load) => load.failures)).toEqual([]);
      const byOrders = loads.reduce((sum, load) => sum + changesOfOrders(load).length, 0);
      await writeEvents(writer, new AbortController().signal, EVENTS - byOrders - writer.log.length);
      // Events are numbered a moment after the commit.
      await vi.waitFor(
        async () => expect(await world.rows('select from events where position is null')).toEqual([]),
        60_000,
      );
      const byOrg = await expectEveryWrite(loads, writer);
      await Promise.all(world.hooks.map((hook) => expectDelivered(hook, byOrg.get(hook.orgId) ?? [])));
      await expectInOrder(byOrg);
      const { pushes, repeated, contradictions } = world.receiver;
      const events = [...byOrg.values()].reduce((sum, some) => sum + some.length, 0);
      const unknown = loads.reduce((sum, load) => sum + load.unknown, writer.unknown);
      const failed = await world.rows('select from webhook_attempts where not delivered');
      console.log(
        `crash of pushes: N = ${events} events (${byOrders} by orders through the API) at ${world.hooks.length} endpoints ` +
          `of ${ORGANIZATIONS} organizations, seed ${SEED}; kills: ${JSON.stringify(world.kills)} (${moments.join(', ')}); ` +
          `${pushes} pushes, ${repeated} of them again; ${world.inFlightAtKills} in flight at a kill of their worker; ${failed.length} attempts failed; ` +
          `outcomes of writes unknown: ` +
          `${unknown}; ${((performance.now() - beganMs) / 1000).toFixed(1)} s`,
      );
      expect(contradictions).toEqual([]);
      expect(events).toBeGreaterThanOrEqual(EVENTS);
      expect(
        Math.min(...Object.values(world.kills)),
        'invalid run: a kind of kill is missing',
      ).toBeGreaterThan(0);
      expect(unknown, 'invalid run: no write was running at any kill').toBeGreaterThan(0);
      expect(world.inFlightAtKills, 'invalid run: no push was in flight at any kill').toBeGreaterThan(0);
    },
    sized(240_000, 1_800_000),
  );
});

describe.runIf(fullTier)('two workers, one of which dies', () => {
  const writeToAll = async (writer: EventWriter) => {
    const written = world.orgs.map(({ organization }) => writer.write(organization.orgId, 1, CUSTOMER));
    return new Set((await Promise.all(written)).flat().map(({ orderNo }) => orderNo));
  };
  /** When the last of these events arrived for the `times`th time; null while one has not. */
  const lastArrival = (hooks: readonly Hook[], events: readonly StoredEvent[], times: number) => {
    const arrivals = hooks.flatMap((hook) =>
      events.flatMap((event) =>
        event.orgId === hook.orgId ? [world.receiver.at(hook.path).arrived.get(event.eventId)] : [],
      ),
    );
    const came = arrivals.every((arrival) => (arrival?.times ?? 0) >= times);
    return came ? Math.max(...arrivals.map((arrival) => arrival?.lastAtMs ?? 0)) : null;
  };

  it(`the other sends its pending and unfinished pushes within ${TAKEN_OVER_WITHIN_MS / 1000} s`, async () => {
    world.receiver.answerAfterMs = () => 0;
    const writer = new EventWriter(world.database, 'shared');
    const isSubscribed = (hook: Hook) => hook.eventTypes.includes('order.status_changed');
    // All endpoints are leased, about half by each worker: from then on none moves.
    const holdings = await vi.waitFor(
      async () => {
        await writeToAll(writer);
        const found = await world.holdings();
        const counts = [...found.values()].map((hooks) => hooks.length);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(world.hooks.length);
        expect(Math.max(...counts)).toBeLessThanOrEqual(world.hooks.length / 2 + 1);
        return found;
      },
      { timeout: 30_000, interval: 300 },
    );
    const held = (name: string) => holdings.get(name)?.filter(isSubscribed) ?? [];
    const [victim, survivor] = world.workers.toSorted((a, b) => held(b.name).length - held(a.name).length);
    if (!victim || !survivor) throw new Error('there are not two workers');
    const [orphans, others] = [held(victim.name), held(survivor.name)];

    // In flight when the worker dies: they arrived once and were not answered.
    world.receiver.answerAfterMs = (path) => (orphans.some((hook) => hook.path === path) ? 4_500 : 0);
    const begun = await storedAs(await writeToAll(writer));
    await vi.waitFor(() => expect(lastArrival(orphans, begun, 1)).not.toBeNull(), 10_000);
    const killedAtMs = performance.now();
    hit(victim.running);
    await killed(victim.running);
    world.receiver.answerAfterMs = () => 0;
    const waiting = await storedAs(await writeToAll(writer));
    await vi.waitFor(() => expect(lastArrival(others, waiting, 1)).not.toBeNull(), 5_000);
    expect(lastArrival(orphans, waiting, 1), 'invalid run: they were not held').toBeNull();
    const lastAtMs = await vi.waitFor(
      () => {
        const again = lastArrival(orphans, begun, 2);
        const late = lastArrival(orphans, waiting, 1);
        if (again === null || late === null) throw new Error('not taken over yet');
        return Math.max(again, late);
      },
      { timeout: TAKEN_OVER_WITHIN_MS + 10_000, interval: 20 },
    );
    console.log(
      `take-over: ${orphans.length} endpoints of the killed worker had everything ` +
        `${((lastAtMs - killedAtMs) / 1000).toFixed(1)} s after the kill; the other one kept ${others.length}`,
    );
    expect(orphans.length).toBeGreaterThan(0);
    expect(lastAtMs - killedAtMs).toBeLessThan(TAKEN_OVER_WITHIN_MS);
  }, 90_000);
});
