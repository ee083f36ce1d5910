import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock/index.js';
import { freePort } from '../../src/platform/embedded-postgres/index.js';
import {
  type CompletenessData,
  callApi,
  newOrganization,
  openReceiver,
  openTestDatabase,
  type Receiver,
  type Reply,
  sized,
  TEST_SECRET_KEY,
  type TestDatabase,
  testClock,
  type WebhookData,
} from '../harness/index.js';
import { EventWriter, type WrittenEvent } from './event-writer.js';
import { untilMs } from './pace.js';
import { PushProcesses } from './push-processes.js';

const ENDPOINTS = sized(30, 100);
/** In each organization, of which one is bad: a fifth of all. */
const TOGETHER = 5;
const ORGANIZATIONS = ENDPOINTS / TOGETHER;
const STRETCH_MS = sized(3_000, 20_000);
/** Between two events, each in another organization. */
const EVENT_EVERY_MS = 20;
const RETRY_S = 3;

const WAYS_TO_BE_BAD = ['hangs', 'refuses', 'is slow'] as const;
type Badness = (typeof WAYS_TO_BE_BAD)[number];

interface Hook {
  orgId: string;
  key: string;
  webhookId: string;
  path: string;
  badness: Badness | null;
}

let db: TestDatabase;
let processes: PushProcesses;
let url: string;
let receiver: Receiver;
/** Where those listen that will refuse connections. */
let refusing: Receiver;
let writer: EventWriter;
const hooks: Hook[] = [];
const healthy = () => hooks.filter((hook) => hook.badness === null);
const bad = () => hooks.filter((hook) => hook.badness !== null);

async function must<D>(method: string, path: string, body: object | undefined, key: string): Promise<D> {
  const answer = await callApi<D>(url, method, path, body, key);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.data;
}

async function subscribe(number: number): Promise<void> {
  const org = await newOrganization(db);
  for (let i = 0; i < TOGETHER; i++) {
    const badness = i === 0 ? (WAYS_TO_BE_BAD[number % WAYS_TO_BE_BAD.length] ?? 'hangs') : null;
    const path = `/hook/${number}/${i}`;
    const callbackUrl = (badness === 'refuses' ? refusing : receiver).url(path);
    const body = { callbackUrl, eventTypes: ['order.status_changed'] };
    const { webhookId } = await must<WebhookData>('POST', '/v2/webhooks', body, org.key);
    hooks.push({ orgId: org.organization.orgId, key: org.key, webhookId, path, badness });
  }
}

beforeAll(async () => {
  // The workers live in the present, and so do the events of this run.
  db = await openTestDatabase(testClock(systemClock.now().toISOString()));
  receiver = await openReceiver();
  refusing = await openReceiver();
  processes = new PushProcesses({
    DATABASE_URL: db.url,
    LOTWARD_SECRET_KEY: TEST_SECRET_KEY,
    WEBHOOK_TIMEOUT_MS: '2000',
    // Often enough that none is given up here, and soon enough to see them arrive when all is mended.
    WEBHOOK_RETRY_DELAYS_S: Array.from({ length: 100 }, () => RETRY_S).join(),
  });
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  // One worker alone: all bad ones are in the same hands as the good ones.
  await Promise.all([processes.start('api', port), processes.start('worker')]);
  for (let number = 0; number < ORGANIZATIONS; number++) await subscribe(number);
  writer = new EventWriter(db.database);
}, 120_000);
afterAll(async () => {
  await processes?.end();
  await Promise.all([receiver?.close(), refusing?.close()]);
  await db?.drop();
}, 60_000);

/** Events at a steady pace, one organization after the other. */
async function writeSteadily(): Promise<WrittenEvent[]> {
  const orgIds = [...new Set(hooks.map((hook) => hook.orgId))];
  const writing: Promise<WrittenEvent[]>[] = [];
  const beganMs = performance.now();
  for (let n = 0; performance.now() - beganMs < STRETCH_MS; n++) {
    writing.push(writer.write(orgIds[n % orgIds.length] ?? '', 1));
    await untilMs(beganMs + (n + 1) * EVENT_EVERY_MS);
  }
  return (await Promise.all(writing)).flat();
}

const orderNoOf = (body: Buffer): string => JSON.parse(body.toString('utf8')).data.orderNo;
const namesOf = (events: readonly WrittenEvent[], { orgId }: Hook): string[] =>
  events.flatMap((event) => (event.orgId === orgId ? [event.orderNo] : [])).sort();

/** First arrivals of an endpoint, by event. */
function arrivals({ path, badness }: Hook): Map<string, number> {
  const pushes = badness === 'refuses' ? [...refusing.at(path), ...receiver.at(path)] : receiver.at(path);
  return new Map(pushes.map((push) => [orderNoOf(push.body), push.atMs] as const).reverse());
}

const expectAllArrive = async (some: readonly Hook[], events: readonly WrittenEvent[]): Promise<void> => {
  for (const hook of some)
    await expect
      .poll(() => [...arrivals(hook).keys()].sort(), { timeout: 30_000, interval: 50 })
      .toEqual(namesOf(events, hook));
};

/** From the commit to the receipt, of the endpoints that never do harm. */
function delays(events: readonly WrittenEvent[]) {
  const all = healthy().flatMap((hook) => {
    const arrived = arrivals(hook);
    return events.flatMap(({ orgId, orderNo, committedAtMs }) =>
      orgId === hook.orgId ? [(arrived.get(orderNo) ?? Number.POSITIVE_INFINITY) - committedAtMs] : [],
    );
  });
  const sorted = all.sort((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN);
  return { pushes: sorted.length, p50: at(0.5), p99: at(0.99), worst: at(1) };
}

async function completeness({ webhookId, key }: Hook): Promise<CompletenessData> {
  const span = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
  return must('GET', `/v2/webhooks/${webhookId}/completeness?${span}`, undefined, key);
}

const complete = (matched: number, pending = 0) => ({
  matched,
  delivered: matched - pending,
  pending,
  failed: 0,
  skipped: 0,
  missingEventIds: [],
});
const expectComplete = (hook: Hook, events: readonly WrittenEvent[]) =>
  expect
    .poll(() => completeness(hook), { timeout: 20_000, interval: 100 })
    .toEqual(expect.objectContaining(complete(namesOf(events, hook).length)));

describe(`${ENDPOINTS} endpoints, of which every fifth hangs, refuses or is slow`, () => {
  const calmEvents: WrittenEvent[] = [];
  const stormyEvents: WrittenEvent[] = [];
  const replies: Record<string, Reply> = { hangs: 'hang', 'is slow': { status: 204, afterMs: 1_500 } };

  it('the others get everything, about as soon as without them', async () => {
    // Connections are made, and every endpoint is in the hands of a worker.
    const first = (await Promise.all(hooks.map(({ orgId }) => writer.write(orgId, 1)))).flat();
    await expectAllArrive(hooks, first);
    calmEvents.push(...(await writeSteadily()));
    await expectAllArrive(hooks, [...first, ...calmEvents]);
    const calm = delays(calmEvents);

    const replyTo = new Map(bad().map(({ path, badness }) => [path, replies[badness ?? ''] ?? 204]));
    receiver.answer = ({ path }) => replyTo.get(path) ?? 204;
    await refusing.close();
    stormyEvents.push(...(await writeSteadily()));
    await expectAllArrive(healthy(), [...first, ...calmEvents, ...stormyEvents]);
    const stormy = delays(stormyEvents);
    console.log(
      `hanging endpoints: N = ${ENDPOINTS}, ${bad().length} of them bad; commit to receipt at the others in ms: ` +
        `without ${JSON.stringify(calm)}, with ${JSON.stringify(stormy)}`,
    );
    // Room for a busy machine, but less than the time-out: behind a hanging one they would wait that long.
    expect(stormy.p99).toBeLessThan(1.5 * calm.p99 + 1_000);
    calmEvents.unshift(...first);
    for (const hook of healthy()) await expectComplete(hook, [...calmEvents, ...stormyEvents]);
  }, 120_000);

  it('what the bad ones did not take waits, and is counted so, to the last one', async () => {
    for (const hook of bad()) {
      const before = namesOf(calmEvents, hook).length;
      const since = namesOf(stormyEvents, hook).length;
      const found = await completeness(hook);
      const pending = hook.badness === 'is slow' ? found.pending : since;
      expect([hook.badness, found]).toEqual([
        hook.badness,
        expect.objectContaining(complete(before + since, pending)),
      ]);
    }
  }, 60_000);

  it('when they are mended they get everything, and nobody had to do anything for it', async () => {
    receiver.answer = () => 204;
    for (const { badness, webhookId, key, path } of bad()) {
      if (badness !== 'refuses') continue;
      await must('PATCH', `/v2/webhooks/${webhookId}`, { callbackUrl: receiver.url(path) }, key);
    }
    await expectAllArrive(bad(), [...calmEvents, ...stormyEvents]);
    for (const hook of bad()) await expectComplete(hook, [...calmEvents, ...stormyEvents]);
  }, 120_000);
});
