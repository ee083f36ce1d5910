import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Delivered, openPushWorld, type PushWorld, type Subscriber } from '../../test/harness/index.js';

const MINUTE = 60_000;
const polled = { timeout: 10_000, interval: 10 };

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
});
afterAll(async () => {
  expect(world?.worker.complaints).toEqual([]);
  await world?.close();
});

interface Page {
  items: Delivered[];
  nextCursor: string | null;
}
interface Health {
  status: string;
  waiting: number;
  oldestWaitingAt: string | null;
  recentAttempts: number;
  successRate: number | null;
  medianMs: number | null;
  p95Ms: number | null;
}

async function allPages(hook: Subscriber, query: string): Promise<Delivered[][]> {
  const pages: Delivered[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const path: string = `/deliveries?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page: Page = await hook.must<Page>('GET', path);
    pages.push(page.items);
    cursor = page.nextCursor;
  }
  return pages;
}

/** One webhook with pushes of every status, oldest first: delivered, failed, delivered late, skipped, retrying, delivered. */
async function withAllStatuses(): Promise<Subscriber> {
  const hook = await world.subscribe({ eventTypes: ['order.status_changed', 'expiry.warning'] });
  const newestStatus = (status: string) =>
    expect.poll(async () => (await hook.log())[0]?.status, polled).toBe(status);
  await hook.happen({ type: 'expiry.warning' });
  await newestStatus('delivered');
  hook.answer(500);
  await hook.happen({});
  for (let attempt = 1; attempt <= 4; attempt++) {
    await expect.poll(async () => (await hook.log())[0]?.attempts.length, polled).toBe(attempt);
    world.clock.advance(15 * MINUTE);
  }
  await newestStatus('failed');
  await hook.happen({ type: 'expiry.warning' });
  await newestStatus('retrying');
  hook.answer(204);
  world.clock.advance(MINUTE);
  await newestStatus('delivered');
  await hook.must('PATCH', '', { status: 'disabled' });
  await hook.happen({});
  await hook.must('POST', '/enable');
  hook.answer(503);
  await hook.happen({});
  await newestStatus('retrying');
  hook.answer(204);
  await hook.happen({ type: 'expiry.warning' });
  await hook.expectStatuses(['delivered', 'failed', 'delivered', 'skipped', 'retrying', 'delivered']);
  return hook;
}

describe('the log of deliveries', () => {
  it('is paginated, newest first, each push once, during concurrent pushes', async () => {
    const hook = await world.subscribe();
    await hook.happen(...Array.from({ length: 25 }, (_, i) => ({ entity: `ord_${i}` })));
    await hook.expectPushes(25);
    const first = await hook.must<Page>('GET', '/deliveries?limit=10');
    await hook.happen({ entity: 'later' });
    await hook.expectPushes(26);
    const second = await hook.must<Page>('GET', `/deliveries?limit=10&cursor=${first.nextCursor}`);
    const third = await hook.must<Page>('GET', `/deliveries?limit=10&cursor=${second.nextCursor}`);
    expect([first, second, third].map((page) => page.items.length)).toEqual([10, 10, 5]);
    expect(third.nextCursor).toBeNull();
    const rows = await world.db.sql<{ id: string }>(
      'select event_id as id from events where org_id = $1 order by position desc',
      [hook.orgId],
    );
    const read = [first, second, third].flatMap((page) => page.items.map((delivery) => delivery.eventId));
    expect(read).toEqual(rows.map((row) => row.id).slice(1));
  });

  it('can be filtered by status, type, event and combinations of them, with pagination', async () => {
    const hook = await withAllStatuses();
    const all = await hook.log();
    const filters: [string, (delivery: Delivered) => boolean][] = [
      ...['pending', 'retrying', 'delivered', 'failed', 'skipped'].map(
        (status): [string, (delivery: Delivered) => boolean] => [
          `status=${status}`,
          (d) => d.status === status,
        ],
      ),
      ['eventType=expiry.warning', (d) => d.eventType === 'expiry.warning'],
      ['eventType=environment.alert', () => false],
      [`eventId=${all[2]?.eventId}`, (d) => d.eventId === all[2]?.eventId],
      ['eventId=evt_nothing', () => false],
      ['status=delivered&eventType=order.status_changed', () => false],
      ['status=failed&eventType=order.status_changed', (d) => d.status === 'failed'],
    ];
    for (const [query, keeps] of filters) {
      const expected = all.filter(keeps);
      expect(await hook.log(`&${query}`), query).toEqual(expected);
      expect((await allPages(hook, `limit=1&${query}`)).flat(), query).toEqual(expected);
    }
  });

  it.each([
    ['status=recovering', 'not_allowed'],
    ['eventType=order.eaten', 'not_allowed'],
    ['limit=0', 'out_of_range'],
    ['cursor=nonsense', 'bad_cursor'],
    ['page=2', 'unknown_parameter'],
  ])('refuses %s', async (query, reason) => {
    const hook = await world.subscribe();
    const answer = await hook.call('GET', `/deliveries?${query}`);
    expect([answer.status, answer.reason]).toEqual([400, reason]);
  });

  it('lists a push in progress as pending', async () => {
    const hook = await world.subscribe();
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    hook.answer({ status: 204, until });
    await hook.happen({});
    await hook.expectPushes(1);
    const pending = [{ status: 'pending', attempts: [], nextAttemptAt: null }];
    expect(await hook.log()).toMatchObject(pending);
    expect(await hook.log('&status=pending')).toMatchObject(pending);
    expect(await hook.log('&status=skipped')).toEqual([]);
    expect(await hook.must<Health>('GET', '/health')).toMatchObject({ waiting: 1 });
    expect(await hook.completeness()).toMatchObject({ matched: 1, pending: 1, delivered: 0 });
    release();
    await hook.expectStatuses(['delivered']);
  });
});

it('the proof of completeness counts events from its start until before its end', async () => {
  const hook = await world.subscribe();
  await hook.happen({});
  await hook.expectStatuses(['delivered']);
  const now = world.clock.now();
  const later = new Date(now.getTime() + 1);
  const matched = async (from: Date, to: Date) =>
    (await hook.completeness(from.toISOString(), to.toISOString())).matched;
  expect([await matched(now, later), await matched(now, now), await matched(later, later)]).toEqual([
    1, 0, 0,
  ]);
  const backwards = await hook.call(
    'GET',
    `/completeness?from=${later.toISOString()}&to=${now.toISOString()}`,
  );
  expect([backwards.status, backwards.reason]).toEqual([400, 'out_of_range']);
});

describe('one delivery', () => {
  it('returns the event as it was pushed, to credentials with the scope of its type', async () => {
    const hook = await world.subscribe();
    await hook.happen({});
    const [delivery] = await hook.expectStatuses(['delivered']);
    const path = `/deliveries/${delivery?.deliveryId}`;
    const event: unknown = JSON.parse(String(hook.pushes()[0]?.body));
    expect(await hook.must<object>('GET', path)).toEqual({ ...delivery, event });
    const { apiKey } = await hook.org.newKey({ scopes: ['webhooks:read', 'inventory:read'] });
    const refused = await world.api.call('GET', `/v2/webhooks/${hook.webhookId}${path}`, undefined, apiKey);
    expect([refused.status, refused.reason]).toEqual([403, 'scope_missing']);
    expect(refused.text).not.toContain('SAMPLE');
  });

  it('of an event of another webhook is not found', async () => {
    const hook = await world.subscribe();
    await hook.happen({ type: 'expiry.warning' });
    const feed = await world.api.call<{ items: { eventId: string }[] }>(
      'GET',
      '/v2/events',
      undefined,
      hook.key,
    );
    const eventId = feed.data.items[0]?.eventId ?? '';
    const deliveryId = `dlv_${eventId.slice(4)}${hook.webhookId.slice(-6)}`;
    expect((await hook.call('GET', `/deliveries/${deliveryId}`)).status).toBe(404);
    expect((await hook.call('POST', `/deliveries/${deliveryId}/redeliver`)).status).toBe(404);
  });
});

describe('the health of a webhook', () => {
  const health = (hook: Subscriber) => hook.must<Health>('GET', '/health');

  it('of a new webhook has no figures', async () => {
    expect(await health(await world.subscribe())).toEqual({
      status: 'enabled',
      consecutiveFailures: 0,
      disabledAfter: 10,
      waiting: 0,
      oldestWaitingAt: null,
      recentAttempts: 0,
      successRate: null,
      medianMs: null,
      p95Ms: null,
    });
  });

  it('shows the backlog and its age, the success rate and the durations', async () => {
    const hook = await world.subscribe();
    hook.answer({ status: 200, afterMs: 60 });
    await hook.happen(...Array.from({ length: 6 }, (_, i) => ({ entity: `ord_${i}` })));
    await hook.expectStatuses(Array.from({ length: 6 }, () => 'delivered'));
    hook.answer(500);
    world.clock.advance(1_000);
    const oldestWaitingAt = world.clock.now().toISOString();
    await hook.happen({ entity: 'a' });
    await expect.poll(async () => (await health(hook)).recentAttempts, polled).toBe(7);
    world.clock.advance(1_000);
    await hook.happen({ entity: 'b' });
    await expect.poll(async () => (await health(hook)).recentAttempts, polled).toBe(8);
    const figures = await health(hook);
    expect(figures).toMatchObject({ status: 'enabled', waiting: 2, oldestWaitingAt, successRate: 0.75 });
    expect(figures.medianMs).toBeGreaterThanOrEqual(59);
    expect(figures.p95Ms).toBeGreaterThanOrEqual(figures.medianMs ?? 0);
    await hook.must('PATCH', '', { status: 'disabled' });
    expect(await health(hook)).toMatchObject({ status: 'disabled', waiting: 0, oldestWaitingAt: null });
  });
});
