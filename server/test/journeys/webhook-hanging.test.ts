import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock/index.js';
import type { Database } from '../../src/platform/database/index.js';
import {
  type CompletenessData,
  newOrganization,
  openReceiver,
  openTestDatabase,
  type Receiver,
  sized,
  startApi,
  startWorker,
  type TestApi,
  type TestDatabase,
  type TestWorker,
  testClock,
  type WebhookData,
} from '../harness/index.js';
import { openPools } from '../http/postgres-proxy.js';
import { EventWriter, type WrittenEvent } from './event-writer.js';
import { untilMs } from './pace.js';

const ENDPOINTS = sized(15, 100);
/** Webhooks of each organization; one of them is unhealthy: a fifth of all. */
const TOGETHER = 5;
const ORGANIZATIONS = ENDPOINTS / TOGETHER;
const STORMY_EVENTS = sized(60, 1_000);
/** Between two events, each in another organization. */
const EVENT_EVERY_MS = 20;
const RETRY_MS = 1_000;
/** Longer than the run: a push that hangs is still in flight when everything else has arrived. */
const TIMEOUT_MS = sized(60_000, 120_000);
const SLOW_MS = 1_000;
const AS_IN_OPERATION = { pollMs: 1_000 };

const FAULTS = ['hangs', 'refuses', 'is slow'] as const;
type Fault = (typeof FAULTS)[number];

interface Hook {
  orgId: string;
  key: string;
  webhookId: string;
  path: string;
  fault: Fault | null;
}

let db: TestDatabase;
let pools: Database;
let api: TestApi;
let worker: TestWorker;
let receiver: Receiver;
/** Closed during the run: from then on connections are refused. */
let refusing: Receiver;
/** Closed at the end, which ends the pushes that hang. */
let hanging: Receiver;
let writer: EventWriter;
const hooks: Hook[] = [];
const healthy = () => hooks.filter((hook) => hook.fault === null);
const unhealthy = () => hooks.filter((hook) => hook.fault !== null);

async function must<D>(method: string, path: string, body: object | undefined, key: string): Promise<D> {
  const answer = await api.call<D>(method, path, body, key);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.data;
}

const receiverOf = (fault: Fault | null): Receiver =>
  fault === 'refuses' ? refusing : fault === 'hangs' ? hanging : receiver;

async function subscribe(number: number): Promise<void> {
  const org = await newOrganization(db);
  for (let i = 0; i < TOGETHER; i++) {
    const fault = i === 0 ? (FAULTS[number % FAULTS.length] ?? 'hangs') : null;
    const path = `/hook/${number}/${i}`;
    const callbackUrl = receiverOf(fault).url(path);
    const body = { callbackUrl, eventTypes: ['order.status_changed'] };
    const { webhookId } = await must<WebhookData>('POST', '/v2/webhooks', body, org.key);
    hooks.push({ orgId: org.organization.orgId, key: org.key, webhookId, path, fault });
  }
}

beforeAll(async () => {
  // The worker runs by the real time, and so do the events of this run.
  db = await openTestDatabase(testClock(systemClock.now().toISOString()));
  receiver = await openReceiver();
  refusing = await openReceiver();
  hanging = await openReceiver();
  const webhooks = {
    allowedNetworks: ['127.0.0.0/8'],
    timeoutMs: TIMEOUT_MS,
    // Often enough that no push fails for good, and soon enough to see them arrive at the end.
    retryDelaysMs: Array.from({ length: 100 }, () => RETRY_MS),
  };
  pools = await openPools(db.url, systemClock);
  api = await startApi(pools, { webhooks });
  // A single worker serves the healthy and the unhealthy endpoints.
  worker = await startWorker(db, { database: pools, webhooks, deliveryLimits: AS_IN_OPERATION });
  for (let number = 0; number < ORGANIZATIONS; number++) await subscribe(number);
  writer = new EventWriter(db.database);
}, 120_000);
afterAll(async () => {
  await Promise.all([receiver?.close(), refusing?.close(), hanging?.close()]);
  await worker?.stop();
  await api?.close();
  await pools?.close();
  await db?.close();
}, 60_000);

/** Events at a steady pace, one organization after the other. */
async function writeSteadily(): Promise<WrittenEvent[]> {
  const orgIds = [...new Set(hooks.map((hook) => hook.orgId))];
  const writing: Promise<WrittenEvent[]>[] = [];
  const beganMs = performance.now();
  for (let n = 0; n < STORMY_EVENTS; n++) {
    writing.push(writer.write(orgIds[n % orgIds.length] ?? '', 1));
    await untilMs(beganMs + (n + 1) * EVENT_EVERY_MS);
  }
  return (await Promise.all(writing)).flat();
}

const orderNoOf = (body: Buffer): string => JSON.parse(body.toString('utf8')).data.orderNo;
const namesOf = (events: readonly WrittenEvent[], { orgId }: Hook): string[] =>
  events.flatMap((event) => (event.orgId === orgId ? [event.orderNo] : [])).sort();

/** First arrivals of an endpoint, by event. */
function arrivals({ path, fault }: Hook): Map<string, number> {
  const pushes = [...(fault === null ? [] : receiverOf(fault).at(path)), ...receiver.at(path)];
  return new Map(pushes.map((push) => [orderNoOf(push.body), push.atMs] as const).reverse());
}

const expectAllArrive = async (some: readonly Hook[], events: readonly WrittenEvent[]): Promise<void> => {
  for (const hook of some)
    await expect
      .poll(() => [...arrivals(hook).keys()].sort(), { timeout: 60_000, interval: 50 })
      .toEqual(namesOf(events, hook));
};

async function completeness({ webhookId, key }: Hook): Promise<CompletenessData> {
  const span = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
  return must('GET', `/v2/webhooks/${webhookId}/completeness?${span}`, undefined, key);
}

const expectComplete = (hook: Hook, events: readonly WrittenEvent[]) => {
  const matched = namesOf(events, hook).length;
  const counts = { matched, delivered: matched, pending: 0, failed: 0, skipped: 0, missingEventIds: [] };
  return expect
    .poll(() => completeness(hook), { timeout: 60_000, interval: 100 })
    .toEqual(expect.objectContaining(counts));
};

/** Attempts to the endpoints that hang which have ended. */
const endedHanging = () =>
  db.sql('select from webhook_attempts where webhook_id = any($1) and not delivered', [
    hooks.filter((hook) => hook.fault === 'hangs').map((hook) => hook.webhookId),
  ]);

describe(`${ENDPOINTS} endpoints, of which every fifth hangs, refuses or is slow`, () => {
  const calmEvents: WrittenEvent[] = [];
  const stormyEvents: WrittenEvent[] = [];

  it('the others get everything while pushes to those hang', async () => {
    // Every endpoint is leased and connected.
    const first = (await Promise.all(hooks.map(({ orgId }) => writer.write(orgId, 1)))).flat();
    calmEvents.push(...first);
    await expectAllArrive(hooks, calmEvents);
    for (const hook of hooks) await expectComplete(hook, calmEvents);

    const slowPaths = new Set(hooks.flatMap(({ path, fault }) => (fault === 'is slow' ? [path] : [])));
    receiver.answer = ({ path }) => (slowPaths.has(path) ? { status: 204, afterMs: SLOW_MS } : 204);
    hanging.answer = () => 'hang';
    await refusing.close();
    stormyEvents.push(...(await writeSteadily()));
    await expectAllArrive(healthy(), [...calmEvents, ...stormyEvents]);
    for (const hook of healthy()) await expectComplete(hook, [...calmEvents, ...stormyEvents]);
    // Nothing waited for a time-out: no push that hangs has ended.
    expect(await endedHanging()).toEqual([]);
    const atOnce = () => Math.max(...hanging.atOnceMax.values());
    // Ten; and two where the endpoint has not answered since it was leased, which ends when it is idle for long.
    await expect.poll(atOnce).toBeGreaterThanOrEqual(2);
    expect(atOnce()).toBeLessThanOrEqual(10);
    console.log(
      `hanging endpoints: N = ${ENDPOINTS}, ${unhealthy().length} of them unhealthy; ${stormyEvents.length} events`,
    );
  }, 150_000);

  it('events that an unhealthy endpoint did not accept are pending, and all are counted', async () => {
    for (const hook of unhealthy()) {
      const before = namesOf(calmEvents, hook).length;
      const since = namesOf(stormyEvents, hook).length;
      const { delivered, pending, ...others } = await completeness(hook);
      const counts = { matched: before + since, failed: 0, skipped: 0, missingEventIds: [] };
      expect([hook.fault, others]).toEqual([hook.fault, expect.objectContaining(counts)]);
      expect(delivered + pending, hook.fault ?? '').toBe(before + since);
      if (hook.fault === 'is slow') {
        // Delivered is what the endpoint got, at most: the newest of it may still be without an answer.
        expect(delivered).toBeGreaterThanOrEqual(before);
        expect(delivered).toBeLessThanOrEqual(arrivals(hook).size);
      } else expect([hook.fault, pending]).toEqual([hook.fault, since]);
    }
  }, 60_000);

  it('when they recover they get everything without a manual resend', async () => {
    receiver.answer = () => 204;
    await hanging.close();
    for (const { fault, webhookId, key, path } of unhealthy()) {
      if (fault === 'is slow') continue;
      await must('PATCH', `/v2/webhooks/${webhookId}`, { callbackUrl: receiver.url(path) }, key);
    }
    await expectAllArrive(unhealthy(), [...calmEvents, ...stormyEvents]);
    for (const hook of unhealthy()) await expectComplete(hook, [...calmEvents, ...stormyEvents]);
  }, 150_000);
});
