import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openPushWorld,
  openReceiver,
  type PushWorld,
  type Reply,
  type Subscriber,
} from '../../test/harness/index.js';
import { deliveryIdOf } from './webhook.js';

const TIMEOUT_MS = 5_000;
const MARGIN_MS = 400;
const MINUTE = 60_000;

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld({ webhooks: { timeoutMs: TIMEOUT_MS } });
});
afterAll(async () => {
  expect(world?.worker.complaints).toEqual([]);
  await world?.close();
});

/** A webhook whose endpoint responds in this way, and the delivery of one push to it. */
async function pushedTo(reply: Reply, url?: string) {
  const hook = await world.subscribe(url === undefined ? {} : { url });
  hook.answer(reply);
  await hook.happen({});
  const delivery = await hook.expectAttempts(1);
  return { hook, delivery, attempt: delivery.attempts[0] };
}

describe('a push', () => {
  it('has the exact bytes of the event, and identifying headers', async () => {
    const hook = await world.subscribe();
    await hook.happen({});
    const [push] = await hook.expectPushes(1);
    const [stored] = await world.db.sql<{ body: string; event_id: string }>(
      'select body, event_id from events where org_id = $1',
      [hook.orgId],
    );
    const body = push?.body ?? Buffer.alloc(0);
    expect(body.equals(Buffer.from(stored?.body ?? ''))).toBe(true);
    const feed = await world.api.call<{ items: object[] }>('GET', '/v2/events', undefined, hook.key);
    expect(feed.data.items).toEqual([JSON.parse(body.toString())]);
    const eventId = stored?.event_id ?? '';
    expect(push?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-lotward-event': 'order.status_changed',
      'x-lotward-signature': `sha256=${createHmac('sha256', hook.secret).update(body).digest('hex')}`,
      'x-lotward-delivery': deliveryIdOf(hook.webhookId, eventId),
      'x-lotward-attempt': '1',
      'webhook-id': eventId,
      'webhook-timestamp': String(world.clock.now().getTime() / 1000),
    });
    expect(push?.headers).not.toHaveProperty('x-lotward-test');
    const [delivery] = await hook.expectStatuses(['delivered']);
    expect(delivery).toMatchObject({
      deliveryId: push?.headers['x-lotward-delivery'],
      eventId,
      eventType: 'order.status_changed',
      occurredAt: world.clock.now().toISOString(),
      nextAttemptAt: null,
      attempts: [{ at: world.clock.now().toISOString(), status: 204, error: null, responseExcerpt: null }],
    });
  });

  it('goes only to webhooks of the organization that subscribed to its type, and never to later ones', async () => {
    const early = await world.subscribe({ eventTypes: ['order.status_changed', 'inventory.low_stock'] });
    await early.happen({ type: 'inventory.low_stock' });
    const late = await world.subscribe({ org: early.org, eventTypes: ['inventory.low_stock'] });
    const stranger = await world.subscribe({ eventTypes: ['inventory.low_stock'] });
    await early.happen({}, { type: 'inventory.low_stock' }, { type: 'expiry.warning' });
    await early.expectPushes(3);
    await late.expectPushes(1);
    await world.worker.looked();
    expect([early.pushes().length, late.pushes().length, stranger.pushes().length]).toEqual([3, 1, 0]);
  });

  it('of one customer goes to webhooks of its bound credentials, which get nothing else', async () => {
    const all = await world.subscribe({ eventTypes: ['order.status_changed', 'inventory.low_stock'] });
    for (const code of ['HOSP-1', 'HOSP-2']) {
      const partner = { name: code, roles: ['customer'] };
      expect((await world.api.call('PUT', `/v2/partners/${code}`, partner, all.key)).status).toBe(200);
    }
    const bound = (await all.org.newKey({ customerCode: 'HOSP-1' })).apiKey;
    const types = { org: all.org, eventTypes: ['order.status_changed', 'inventory.low_stock'] };
    const own = await world.subscribe({ ...types, key: bound });
    await all.happen(
      { entity: 'ord_1', customerCode: 'HOSP-1' },
      { entity: 'ord_2', customerCode: 'HOSP-2' },
      { type: 'inventory.low_stock' },
      { entity: 'ord_1', customerCode: 'HOSP-1' },
    );
    await all.expectPushes(4);
    await own.expectPushes(2);
    await world.worker.looked();
    expect(own.pushes()).toHaveLength(2);
    const ids = own.pushes().map((push) => push.headers['webhook-id']);
    expect((await own.log()).map((delivery) => delivery.eventId).reverse()).toEqual(ids);
    expect(await own.completeness()).toMatchObject({ matched: 2, delivered: 2 });
  });

  it('is signed with both secrets until the overlap ends, then only with the new one', async () => {
    const hook = await world.subscribe({ secret: 'the secret of the beginning' });
    const sign = (secret: string, body: Buffer) =>
      `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const rotation = { overlapSeconds: 60, secret: 'the secret that comes next' };
    await hook.must('POST', '/rotate-secret', rotation);
    world.clock.advance(60_000 - 1);
    await hook.happen({});
    const [during] = await hook.expectPushes(1);
    world.clock.advance(1);
    await hook.happen({});
    const [, after] = await hook.expectPushes(2);
    if (!during || !after) throw new Error('two pushes came');
    expect(during.headers['x-lotward-signature']).toBe(sign('the secret of the beginning', during.body));
    expect(during.headers['x-lotward-signature-next']).toBe(sign(rotation.secret, during.body));
    expect(String(during.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect(after.headers['x-lotward-signature']).toBe(sign(rotation.secret, after.body));
    expect(after.headers).not.toHaveProperty('x-lotward-signature-next');
    expect(String(after.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });
});

describe('the response of an endpoint', () => {
  it('with any 2xx status means delivered', async () => {
    const replies = [200, 201, 202, 204, 226, 299];
    const outcomes = await Promise.all(replies.map((status) => pushedTo({ status, body: `got ${status}` })));
    for (const [i, { delivery, attempt }] of outcomes.entries()) {
      expect(delivery).toMatchObject({ status: 'delivered', nextAttemptAt: null });
      expect(attempt?.status).toBe(replies[i]);
      expect(attempt?.responseExcerpt).toBe(replies[i] === 204 ? null : `got ${replies[i]}`);
    }
  });

  it('with any other status is retried a minute later', async () => {
    const closed = await openReceiver();
    const nobody = closed.url();
    await closed.close();
    const rows: [Reply, number | null, string | null, string?][] = [
      [300, 300, 'redirect'],
      [304, 304, 'redirect'],
      [400, 400, null],
      [401, 401, null],
      [404, 404, null],
      [410, 410, null],
      [429, 429, null],
      [500, 500, null],
      [503, 503, null],
      ['hang', null, 'timeout'],
      ['reset', null, 'connection_reset'],
      [204, null, 'connection_refused', nobody],
    ];
    const outcomes = await Promise.all(rows.map(([reply, , , url]) => pushedTo(reply, url)));
    for (const [i, { delivery, attempt }] of outcomes.entries()) {
      const [, status, error] = rows[i] ?? [];
      expect(attempt, JSON.stringify(rows[i])).toMatchObject({ status, error });
      expect(delivery).toMatchObject({
        status: 'retrying',
        nextAttemptAt: new Date(world.clock.now().getTime() + MINUTE).toISOString(),
      });
    }
  });

  it('counts as failed if the name does not resolve', async () => {
    const { delivery, attempt } = await pushedTo(204, 'http://no-such-partner.invalid/');
    expect(delivery.status).toBe('retrying');
    // Some resolvers take their time to say so.
    expect(attempt?.error).toMatch(/^(name_not_found|timeout)$/);
  });

  it('is not followed if it is a redirect', async () => {
    const elsewhere = await openReceiver();
    const replies = [301, 302, 303, 307, 308].map((status) => ({
      status,
      headers: { location: elsewhere.url() },
    }));
    const outcomes = await Promise.all(replies.map((reply) => pushedTo(reply)));
    expect(outcomes.map(({ attempt }) => attempt?.error)).toEqual(replies.map(() => 'redirect'));
    expect(elsewhere.received).toEqual([]);
    await elsewhere.close();
  });

  it('counts if its status arrives before the time-out, and not after it', async () => {
    const [before, after] = await Promise.all([
      pushedTo({ status: 200, afterMs: TIMEOUT_MS - MARGIN_MS }),
      pushedTo({ status: 200, afterMs: TIMEOUT_MS + MARGIN_MS }),
    ]);
    expect(before.delivery.status).toBe('delivered');
    expect(before.attempt?.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - MARGIN_MS - 1);
    expect(before.attempt?.durationMs).toBeLessThan(TIMEOUT_MS);
    expect(after.delivery.status).toBe('retrying');
    expect(after.attempt).toMatchObject({ status: null, error: 'timeout' });
    expect(after.attempt?.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 1);
  });

  it('may have an endless body: the status counts, and the beginning of the body is stored', async () => {
    const [endless, large] = await Promise.all([
      pushedTo({ status: 200, body: 'thanks', endless: true }),
      pushedTo({ status: 500, body: 'é'.repeat(500_000) }),
    ]);
    expect(endless.delivery.status).toBe('delivered');
    expect(endless.attempt?.responseExcerpt).toBe('thanks');
    expect(endless.attempt?.durationMs).toBeLessThan(TIMEOUT_MS);
    expect(large.attempt?.status).toBe(500);
    expect(large.attempt?.responseExcerpt).toBe('é'.repeat(500));
  });

  it('may contain any bytes', async () => {
    const { attempt } = await pushedTo({
      status: 200,
      body: Buffer.from([0, 0xff, 0x41, 0xed, 0xa0, 0x80, 0]),
    });
    expect(attempt?.responseExcerpt).toContain('A');
    expect(attempt?.responseExcerpt).not.toContain('\0');
  });
});

describe('a push that keeps failing', () => {
  /** Nothing is sent a millisecond before it is due; at that instant it is. */
  async function expectNextExactly(hook: Subscriber, delayMs: number, attempts: number): Promise<void> {
    const failed = world.clock.now().getTime();
    world.clock.advance(delayMs - 1);
    await world.worker.looked();
    expect(hook.pushes()).toHaveLength(attempts - 1);
    expect((await hook.log())[0]).toMatchObject({
      status: 'retrying',
      nextAttemptAt: new Date(failed + delayMs).toISOString(),
    });
    world.clock.advance(1);
    await hook.expectPushes(attempts);
    await hook.expectAttempts(attempts);
  }

  it('is retried after exactly 1, 5 and 15 minutes with the same bytes and a fresh signature, then fails permanently', async () => {
    const hook = await world.subscribe();
    hook.answer({ status: 500, body: 'out of order' });
    await hook.happen({});
    await hook.expectAttempts(1);
    await expectNextExactly(hook, MINUTE, 2);
    await expectNextExactly(hook, 5 * MINUTE, 3);
    expect(await hook.read()).toMatchObject({ consecutiveFailures: 0, failingSince: null });
    await expectNextExactly(hook, 15 * MINUTE, 4);
    const failedAt = world.clock.now().toISOString();
    const [delivery] = await hook.expectStatuses(['failed']);
    expect(delivery?.nextAttemptAt).toBeNull();
    expect(delivery?.attempts.map(({ status, responseExcerpt }) => ({ status, responseExcerpt }))).toEqual(
      Array.from({ length: 4 }, () => ({ status: 500, responseExcerpt: 'out of order' })),
    );
    expect(await hook.read()).toMatchObject({
      status: 'enabled',
      consecutiveFailures: 1,
      failingSince: failedAt,
    });
    const pushes = hook.pushes();
    const header = (name: string) => pushes.map((push) => push.headers[name]);
    for (const push of pushes) expect(push.body.equals(pushes[0]?.body ?? Buffer.alloc(0))).toBe(true);
    expect(header('x-lotward-attempt')).toEqual(['1', '2', '3', '4']);
    for (const same of ['webhook-id', 'x-lotward-delivery', 'x-lotward-signature'])
      expect(new Set(header(same)).size).toBe(1);
    expect(new Set(header('webhook-signature')).size).toBe(4);
    const [first = 0, ...later] = header('webhook-timestamp').map(Number);
    expect(later.map((seconds) => seconds - first)).toEqual([60, 360, 1_260]);
    world.clock.advance(24 * 60 * MINUTE);
    await world.worker.looked();
    expect(hook.pushes()).toHaveLength(4);
  });

  it.each([1, 2, 3])(
    '%i times and then succeeds is delivered, and counts as no failure',
    async (failures) => {
      const hook = await world.subscribe();
      hook.answer(({ headers }) => (Number(headers['x-lotward-attempt']) > failures ? 200 : 503));
      await hook.happen({});
      for (let attempt = 1; attempt <= failures; attempt++) {
        await hook.expectAttempts(attempt);
        world.clock.advance(15 * MINUTE);
      }
      const delivery = await hook.expectAttempts(failures + 1);
      expect(delivery.status).toBe('delivered');
      expect(delivery.attempts.map((attempt) => attempt.status)).toEqual([
        ...Array.from({ length: failures }, () => 503),
        200,
      ]);
      expect(await hook.read()).toMatchObject({ consecutiveFailures: 0 });
      expect(await hook.completeness()).toMatchObject({ matched: 1, delivered: 1 });
    },
  );

  it('delays no other push', async () => {
    const hook = await world.subscribe();
    const failing = new Set<unknown>();
    hook.answer(({ headers }) =>
      failing.has(headers['webhook-id']) || failing.size === 0 ? fail(headers) : 204,
    );
    const fail = (headers: Record<string, unknown>) => {
      failing.add(headers['webhook-id']);
      return 500;
    };
    await hook.happen({});
    await hook.expectAttempts(1);
    await hook.happen({}, { entity: 'ord_2' });
    const statuses = ['retrying', 'delivered', 'delivered'];
    await hook.expectStatuses(statuses);
    expect(await hook.completeness()).toMatchObject({ matched: 3, delivered: 2, pending: 1 });
  });
});
