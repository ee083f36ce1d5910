import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock/index.js';
import type { Database } from '../../src/platform/database/index.js';
import {
  type CompletenessData,
  eventIdsOf,
  fullTier,
  LOCAL_WEBHOOKS,
  newOrganization,
  openPushWorld,
  openTestDatabase,
  sized,
  startApi,
  startWorker,
  type TestApi,
  type TestDatabase,
  type TestWorker,
  testClock,
  type WebhookData,
} from '../harness/index.js';
import { openPools, openPostgresProxy, type PostgresProxy } from '../http/postgres-proxy.js';
import { EventWriter } from './event-writer.js';
import { untilMs } from './pace.js';
import { digestOf, PushReceiver } from './push-receiver.js';

const AWAY_S = sized(3, 60);
/** Longer than the 20 s after which a statement without an answer times out; see the last test for the default tier. */
const SILENT_S = 60;
const WORKERS = sized(1, 2);
const ORGANIZATIONS = sized(2, 3);
const TOGETHER = 2;
/** A worker that is gone keeps its leases for longer than a push may take. */
const WEBHOOKS = { ...LOCAL_WEBHOOKS, timeoutMs: 3_000 };
/** In each organization: before the database goes, and while it is away. */
const EVENTS_BEFORE = sized(40, 2_000);
const EVENTS_MEANWHILE = sized(20, 1_000);
const RESUMED_WITHIN_MS = sized(30_000, 5_000);

interface Hook {
  orgId: string;
  key: string;
  webhookId: string;
  path: string;
}

const receiver = new PushReceiver();
const hooks: Hook[] = [];
let db: TestDatabase;
let proxy: PostgresProxy;
/** As each process has them. */
const pools: Database[] = [];
const workers: TestWorker[] = [];
let api: TestApi;
let writer: EventWriter;

async function must<D>(method: string, path: string, body: object | undefined, key: string): Promise<D> {
  const answer = await api.call<D>(method, path, body, key);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.data;
}

beforeAll(async () => {
  // The workers run by the real time, and so do the events of this run.
  db = await openTestDatabase(testClock(systemClock.now().toISOString()));
  proxy = await openPostgresProxy(db.url);
  await receiver.listen();
  const anotherPool = async () => {
    const pool = await openPools(proxy.url, systemClock);
    pools.push(pool);
    return pool;
  };
  api = await startApi(await anotherPool(), { webhooks: WEBHOOKS });
  for (let i = 0; i < WORKERS; i++)
    workers.push(
      await startWorker(db, {
        database: await anotherPool(),
        webhooks: WEBHOOKS,
        deliveryLimits: { pollMs: 1_000 },
      }),
    );
  for (let i = 0; i < ORGANIZATIONS; i++) {
    const org = await newOrganization(db);
    for (let j = 0; j < TOGETHER; j++) {
      const path = `/hook/${i}/${j}`;
      const body = { callbackUrl: receiver.url(path), eventTypes: ['order.status_changed'] };
      const { webhookId } = await must<WebhookData>('POST', '/v2/webhooks', body, org.key);
      hooks.push({ orgId: org.organization.orgId, key: org.key, webhookId, path });
    }
  }
  writer = new EventWriter(db.database);
}, 120_000);
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await api?.close();
  await Promise.all(pools.map((pool) => pool.close()));
  await receiver.close();
  await proxy?.close();
  await db?.close();
}, 60_000);

/** Past the proxy: as a process would that still reaches the database. */
async function happen(count: number): Promise<void> {
  const orgIds = [...new Set(hooks.map((hook) => hook.orgId))];
  await Promise.all(orgIds.map((orgId) => writer.write(orgId, count)));
}

const storedOf = ({ orgId }: Hook) =>
  db.sql<{ eventId: string; body: string }>(
    'select event_id as "eventId", body from events where org_id = $1',
    [orgId],
  );
const arrivedAnywhere = () => hooks.reduce((sum, { path }) => sum + receiver.at(path).arrived.size, 0);

/** Events that some endpoint has not received yet. */
async function missing(): Promise<number> {
  const perHook = hooks.map(async (hook) => {
    const { arrived } = receiver.at(hook.path);
    return (await storedOf(hook)).filter(({ eventId }) => !arrived.has(eventId)).length;
  });
  return (await Promise.all(perHook)).reduce((sum, count) => sum + count, 0);
}

async function expectEverything(): Promise<void> {
  for (const hook of hooks) {
    const stored = await storedOf(hook);
    const { arrived } = receiver.at(hook.path);
    expect(Object.fromEntries([...arrived].map(([eventId, { digest }]) => [eventId, digest]))).toEqual(
      Object.fromEntries(stored.map(({ eventId, body }) => [eventId, digestOf(body)])),
    );
    const span = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
    const path = `/v2/webhooks/${hook.webhookId}/completeness?${span}`;
    const all = { matched: stored.length, delivered: stored.length, pending: 0, failed: 0, skipped: 0 };
    await expect
      .poll(() => must<CompletenessData>('GET', path, undefined, hook.key), {
        timeout: 60_000,
        interval: 100,
      })
      .toEqual(expect.objectContaining({ ...all, missingEventIds: [] }));
  }
  expect(receiver.contradictions).toEqual([]);
}

const ready = async () => (await api.call('GET', '/readyz')).status;

describe('the database goes while events wait and pushes are under way, and comes back', () => {
  const outages: [string, number, () => Promise<void>][] = [['gone', AWAY_S, () => proxy.cut()]];
  if (fullTier) outages.push(['silent', SILENT_S, async () => proxy.freeze()]);

  it.each(outages)(
    '%s for %i s: pushes resume by themselves, and nothing is lost',
    async (how, seconds, goAway) => {
      receiver.answerAfterMs = () => 100;
      const before = { pushes: receiver.pushes, repeated: receiver.repeated, arrived: arrivedAnywhere() };
      await happen(EVENTS_BEFORE);
      const underWay = await vi.waitFor(
        () => {
          expect(arrivedAnywhere() - before.arrived).toBeGreaterThan(20);
          expect(receiver.open).toBeGreaterThan(5);
          return receiver.open;
        },
        { timeout: 20_000, interval: 5 },
      );
      const awayAtMs = performance.now();
      await goAway();
      await happen(EVENTS_MEANWHILE);
      if (how === 'gone') await vi.waitFor(async () => expect(await ready()).toBe(500), 30_000);
      await untilMs(awayAtMs + seconds * 1000);
      receiver.answerAfterMs = () => 0;
      const waiting = await missing();

      const backAtMs = performance.now();
      const known = arrivedAnywhere();
      await proxy.restore();
      const polled = { timeout: 60_000, interval: 10 };
      await vi.waitFor(() => expect(arrivedAnywhere()).toBeGreaterThan(known), polled);
      const resumedMs = performance.now() - backAtMs;
      await vi.waitFor(async () => expect(await missing()).toBe(0), {
        timeout: sized(60_000, 240_000),
        interval: 250,
      });
      const doneMs = performance.now() - backAtMs;
      console.log(
        `database ${how} for ${seconds} s: N = ${ORGANIZATIONS * (EVENTS_BEFORE + EVENTS_MEANWHILE)} events at ` +
          `${hooks.length} endpoints; ${underWay} pushes were under way, ${waiting} waited when it came back; they went on ` +
          `after ${(resumedMs / 1000).toFixed(1)} s and were all there after ${(doneMs / 1000).toFixed(1)} s; ` +
          `${receiver.repeated - before.repeated} of ${receiver.pushes - before.pushes} pushes were repeated`,
      );
      expect(waiting, 'invalid run: nothing waited').toBeGreaterThanOrEqual(
        ORGANIZATIONS * TOGETHER * EVENTS_MEANWHILE,
      );
      expect(resumedMs).toBeLessThan(RESUMED_WITHIN_MS);
      await expectEverything();
      await vi.waitFor(async () => expect(await ready()).toBe(200), 30_000);
    },
    sized(150_000, 600_000),
  );
});

describe('a database that takes statements and never answers', () => {
  it('is noticed by time-out, and the worker resumes on the same server without losing an event', async () => {
    const world = await openPushWorld();
    await world.worker.stop();
    const silent = await openPostgresProxy(world.db.url);
    const limits = { waitMs: 1_000, silenceMs: 1_000 };
    const pools = await openPools(silent.url, world.clock, { app: limits, reader: limits, worker: limits });
    const worker = await startWorker(world.db, { database: pools });
    const hook = await world.subscribe();
    hook.answer({ status: 204, afterMs: 100 });
    const orders = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => ({ entity: `ord_${from + i}` }));
    await hook.happen(...orders(0, 100));
    await vi.waitFor(() => expect(hook.pushes().length).toBeGreaterThan(10), {
      timeout: 30_000,
      interval: 5,
    });
    silent.freeze();
    await hook.happen(...orders(100, 20));
    await vi.waitFor(() => expect(worker.complaints.join()).toMatch(/timeout|unavailable/i), {
      timeout: 60_000,
      interval: 50,
    });
    expect(await hook.completeness()).toMatchObject({ matched: 120, failed: 0, skipped: 0 });
    expect((await hook.completeness()).pending, 'invalid run: nothing was pending').toBeGreaterThanOrEqual(
      20,
    );
    // Connections that wait for a lost answer stay open: only the time-out ends their statements.
    silent.thaw();
    const all = { matched: 120, delivered: 120, pending: 0, failed: 0, skipped: 0 };
    await expect.poll(() => hook.completeness(), { timeout: 60_000, interval: 100 }).toMatchObject(all);
    expect(new Set(eventIdsOf(hook.pushes())).size).toBe(120);
    await worker.stop();
    await pools.close();
    await silent.close();
    await world.close();
  }, 180_000);
});
