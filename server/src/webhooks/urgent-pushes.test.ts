import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  eventIdsOf,
  type Happening,
  openPushWorld,
  type PushWorld,
  type Reception,
  type Subscriber,
  sized,
  startWorker,
  type TestWorker,
} from '../../test/harness/index.js';

/** More than a worker prefetches. */
const BEYOND_PREFETCHED = 600;
const BACKLOG = sized(150, BEYOND_PREFETCHED);
/** Recovery is throttled. */
const MISSED = 200;
/** In flight to an endpoint that has not answered yet. */
const AT_ONCE = 2;
const TYPES = ['order.status_changed', 'recall.opened', 'recall.updated', 'recall.closed'];

let world: PushWorld;
let worker: TestWorker;
beforeAll(async () => {
  world = await openPushWorld();
  worker = world.worker;
});
afterAll(() => world?.close());

const orders = (count = BACKLOG, more: Happening = {}): Happening[] =>
  Array.from({ length: count }, (_, n) => ({ entity: `ord_${n}`, ...more }));
const recall = (type: 'opened' | 'updated' | 'closed' = 'opened', entity = 'rcl_1'): Happening => ({
  type: `recall.${type}`,
  entity,
});
const typesOf = (pushes: readonly Reception[]) =>
  pushes.map(({ body }) => (JSON.parse(body.toString()) as { eventType: string }).eventType);
const isRecall = (type: string) => type.startsWith('recall.');

/** Stops all workers, has things happen, and starts one again. */
async function duringOutage(work: () => Promise<void>): Promise<void> {
  await worker.stop();
  await work();
  worker = await startWorker(world.db);
}

/** Everything matched was delivered, and nothing more often than the receiver says. */
async function expectComplete(hook: Subscriber, count: number): Promise<void> {
  await expect
    .poll(() => hook.completeness(), { timeout: 30_000 })
    .toEqual({ matched: count, delivered: count, pending: 0, failed: 0, skipped: 0, missingEventIds: [] });
  await expect
    .poll(async () => {
      const [row] = await world.db.sql<{ behind: number }>(
        `select (h.position - s.settled_to)::integer as behind from webhook_states s
         join event_heads h on h.org_id = s.org_id where s.webhook_id = $1`,
        [hook.webhookId],
      );
      return row?.behind;
    })
    .toBe(0);
}

/** Ends the lease as if its holder had died: it records nothing more, and another takes over. */
const loseLease = ({ webhookId }: Subscriber) =>
  world.db.sql(
    'update webhook_states set lease_token = null, lease_owner = null, leased_until = null where webhook_id = $1',
    [webhookId],
  );

describe('the events of a recall', () => {
  it('are pushed before a backlog, in their order, and once', async () => {
    const hook = await world.subscribe({ eventTypes: TYPES });
    await duringOutage(async () => {
      await hook.happen(...orders(BEYOND_PREFETCHED));
      await hook.happen(recall('opened'), recall('updated'));
      await hook.happen(...orders(10), recall('closed'));
    });
    const pushes = await hook.expectPushes(BEYOND_PREFETCHED + 13);
    const places = typesOf(pushes).flatMap((type, n) => (isRecall(type) ? [n] : []));
    expect(typesOf(pushes).filter(isRecall)).toEqual(['recall.opened', 'recall.updated', 'recall.closed']);
    // One entity has one push in flight: while it is under way, nine others are.
    expect(places[0]).toBeLessThan(10);
    expect(places.at(-1)).toBeLessThan(60);
    expect(new Set(eventIdsOf(pushes)).size).toBe(BEYOND_PREFETCHED + 13);
    await expectComplete(hook, BEYOND_PREFETCHED + 13);
  });

  it('overtake events that are queued for a slow endpoint', async () => {
    const hook = await world.subscribe({ eventTypes: TYPES });
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    hook.answer({ status: 204, until });
    await hook.happen(...orders());
    await hook.expectPushes(AT_ONCE);
    await hook.happen(recall());
    for (let i = 0; i < 2; i++) await worker.looked();
    release();
    const pushes = await hook.expectPushes(BACKLOG + 1);
    expect(typesOf(pushes).findIndex(isRecall)).toBeLessThan(20);
    await expectComplete(hook, BACKLOG + 1);
  });

  it('are first for a webhook of a customer, too', async () => {
    const hook = await world.subscribe({ eventTypes: TYPES });
    const { api } = world;
    const partner = { name: 'Hospital', roles: ['customer'] };
    await api.call('PUT', '/v2/partners/HOSP-1', partner, hook.key);
    const { apiKey: key } = await hook.org.newKey({ customerCode: 'HOSP-1' });
    const own = await world.subscribe({ eventTypes: TYPES, org: hook.org, key });
    await duringOutage(async () => {
      await hook.happen(...orders(BACKLOG, { customerCode: 'HOSP-1' }));
      await hook.happen({ ...recall(), viewedBy: 'HOSP-1' }, { ...recall(), viewedBy: 'HOSP-2' });
    });
    const pushes = await own.expectPushes(BACKLOG + 1);
    expect(typesOf(pushes).findIndex(isRecall)).toBe(0);
    await hook.expectPushes(BACKLOG + 2);
    await expectComplete(own, BACKLOG + 1);
    await expectComplete(hook, BACKLOG + 2);
  });

  it('are first when an endpoint that was disabled is recovered', async () => {
    const hook = await world.subscribe({ eventTypes: TYPES });
    await hook.must('PATCH', '', { status: 'disabled' });
    await hook.happen(...orders(MISSED));
    await hook.happen(recall('opened'), recall('updated'));
    await expect.poll(async () => (await hook.completeness()).skipped).toBe(MISSED + 2);
    await hook.must('POST', '/enable');
    await hook.must('POST', '/recover', { since: '2026-01-01T00:00:00Z' });
    await expect.poll(() => hook.pushes().length).toBeGreaterThan(20);
    // A change meanwhile waits for the earlier ones of its recall, and for nothing else.
    await hook.happen(recall('closed'));
    const pushes = await hook.expectPushes(MISSED + 3);
    const places = typesOf(pushes).flatMap((type, n) => (isRecall(type) ? [n] : []));
    expect(typesOf(pushes).filter(isRecall)).toEqual(['recall.opened', 'recall.updated', 'recall.closed']);
    expect(places[1]).toBeLessThan(20);
    expect(places[2]).toBeLessThan(MISSED);
    await expectComplete(hook, MISSED + 3);
  });
});

describe('when the worker dies after it pushed an event of a recall ahead of a backlog', () => {
  it('another one does not push it again, and skips nothing', async () => {
    const hook = await world.subscribe({ eventTypes: TYPES });
    // Orders hang, so that the watermark stays where it was.
    hook.answer((push) => (isRecall(typesOf([push])[0] ?? '') ? 204 : 'hang'));
    await duringOutage(async () => {
      await hook.happen(...orders());
      await hook.happen(recall());
    });
    await expect.poll(async () => (await hook.completeness()).delivered, { timeout: 30_000 }).toBe(1);
    hook.answer(204);
    await loseLease(hook);
    await expectComplete(hook, BACKLOG + 1);
    const pushed = typesOf(hook.pushes());
    expect(pushed.filter(isRecall)).toHaveLength(1);
    expect(new Set(eventIdsOf(hook.pushes())).size).toBe(BACKLOG + 1);
  });

  it('another one pushes it first again if its result was lost', async () => {
    const hook = await world.subscribe({ eventTypes: TYPES });
    hook.answer('hang');
    await duringOutage(async () => {
      await hook.happen(...orders());
      await hook.happen(recall());
    });
    await expect.poll(() => hook.pushes().length).toBe(AT_ONCE);
    expect(typesOf(hook.pushes())[0]).toBe('recall.opened');
    hook.answer(204);
    await loseLease(hook);
    await expectComplete(hook, BACKLOG + 1);
    const again = typesOf(hook.pushes().slice(AT_ONCE));
    expect(again.findIndex(isRecall)).toBe(0);
    expect(new Set(eventIdsOf(hook.pushes())).size).toBe(BACKLOG + 1);
  });
});

describe('a change of the subscription during a backlog', () => {
  it('has urgent events pushed that come after it, and none that came before', async () => {
    const hook = await world.subscribe();
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    hook.answer({ status: 204, until });
    await hook.happen(...orders(), recall('opened'));
    await hook.expectPushes(AT_ONCE);
    await hook.must('PATCH', '', { eventTypes: TYPES });
    await hook.happen(recall('updated'));
    for (let i = 0; i < 2; i++) await worker.looked();
    release();
    const pushes = await hook.expectPushes(BACKLOG + 1);
    expect(typesOf(pushes).filter(isRecall)).toEqual(['recall.updated']);
    expect(typesOf(pushes).findIndex(isRecall)).toBeLessThan(20);
    await expectComplete(hook, BACKLOG + 1);
  });
});
