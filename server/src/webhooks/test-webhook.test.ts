import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  fullTier,
  openPushWorld,
  openReceiver,
  type PushWorld,
  type Reply,
} from '../../test/harness/index.js';
import { EVENT_TYPES, type EventType, envelopeOf } from '../events/index.js';
import { compile } from '../platform/http/index.js';

const TIMEOUT_MS = fullTier ? 5_000 : 1_000;

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld({ webhooks: { timeoutMs: TIMEOUT_MS } });
});
afterAll(() => world?.close());

interface Tested {
  eventId: string;
  eventType: EventType;
  delivered: boolean;
  at: string;
  status: number | null;
  durationMs: number;
  error: string | null;
  responseExcerpt: string | null;
}

describe('a test push', () => {
  it('is a sample event, marked as a test and signed like any other', async () => {
    const hook = await world.subscribe({ eventTypes: ['expiry.warning', 'order.status_changed'] });
    const tested = await hook.must<Tested>('POST', '/test');
    const [push] = hook.pushes();
    if (!push) throw new Error('it came before the answer');
    expect(push.headers).toMatchObject({
      'x-lotward-test': 'true',
      'x-lotward-event': 'expiry.warning',
      'x-lotward-attempt': '1',
      'x-lotward-signature': `sha256=${createHmac('sha256', hook.secret).update(push.body).digest('hex')}`,
      'webhook-id': tested.eventId,
    });
    const event: unknown = JSON.parse(push.body.toString());
    expect(event).toMatchObject({ eventId: tested.eventId, eventType: 'expiry.warning' });
    expect(compile(envelopeOf('expiry.warning'), 'body')(event)).toBeNull();
  });

  it.each(EVENT_TYPES)('can be of the type %s', async (eventType) => {
    const hook = await world.subscribe({ eventTypes: [...EVENT_TYPES] });
    expect(await hook.must('POST', '/test', { eventType })).toMatchObject({ eventType, delivered: true });
    expect(hook.pushes()[0]?.headers['x-lotward-event']).toBe(eventType);
  });

  it.each<[string, Reply | 'nobody', Partial<Tested>]>([
    [
      '2xx',
      { status: 202, body: 'thanks' },
      { delivered: true, status: 202, error: null, responseExcerpt: 'thanks' },
    ],
    [
      '500',
      { status: 500, body: 'oops' },
      { delivered: false, status: 500, error: null, responseExcerpt: 'oops' },
    ],
    [
      'a redirect',
      { status: 302, headers: { location: '/' } },
      { delivered: false, status: 302, error: 'redirect' },
    ],
    ['silence', 'hang', { delivered: false, status: null, error: 'timeout', responseExcerpt: null }],
    ['a reset', 'reset', { delivered: false, status: null, error: 'connection_reset' }],
    ['nobody there', 'nobody', { delivered: false, status: null, error: 'connection_refused' }],
  ])('returns the response of the endpoint: %s', async (_, reply, expected) => {
    const gone = await openReceiver();
    await gone.close();
    const hook = await world.subscribe(reply === 'nobody' ? { url: gone.url() } : {});
    if (reply !== 'nobody') hook.answer(reply);
    const tested = await hook.must<Tested>('POST', '/test');
    expect(tested).toMatchObject({ ...expected, at: world.clock.now().toISOString() });
    expect(tested.durationMs).toBeLessThan(TIMEOUT_MS + 1_000);
    if (reply === 'hang') expect(tested.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 1);
  });

  it('leaves no event, no row in the log and no count, with any result', async () => {
    const hook = await world.subscribe();
    const before = await hook.read();
    for (const reply of [500, 204] as const) {
      hook.answer(reply);
      for (let i = 0; i < 12; i++) await hook.must('POST', '/test');
    }
    await world.worker.looked();
    expect(await hook.read()).toEqual(before);
    expect(await hook.log()).toEqual([]);
    expect(await hook.completeness()).toMatchObject({ matched: 0 });
    expect(await hook.must<object>('GET', '/health')).toMatchObject({ waiting: 0, recentAttempts: 0 });
    const feed = await world.api.call<{ items: object[] }>('GET', '/v2/events', undefined, hook.key);
    expect(feed.data.items).toEqual([]);
    for (const table of ['webhook_attempts', 'webhook_deliveries', 'events'])
      expect(await world.db.sql(`select 1 from ${table} where org_id = $1`, [hook.orgId])).toEqual([]);
    expect(hook.pushes()).toHaveLength(24);
  });

  it('works while the webhook is disabled, so that the endpoint can be fixed', async () => {
    const hook = await world.subscribe();
    await hook.must('PATCH', '', { status: 'disabled' });
    expect(await hook.must<Tested>('POST', '/test')).toMatchObject({ delivered: true, status: 204 });
    expect((await hook.read()).status).toBe('disabled');
  });

  it('is sent once for one Idempotency-Key', async () => {
    const hook = await world.subscribe();
    const path = `/v2/webhooks/${hook.webhookId}/test`;
    const ask = () => world.api.call('POST', path, {}, hook.key, { 'idempotency-key': hook.webhookId });
    const [first, second] = [await ask(), await ask()];
    expect(second.text).toBe(first.text);
    expect(hook.pushes()).toHaveLength(1);
  });

  it('carries both signatures during an overlap', async () => {
    const hook = await world.subscribe();
    const { secret } = await hook.must('POST', '/rotate-secret');
    await hook.must('POST', '/test');
    const [push] = hook.pushes();
    const sign = (key: string) =>
      `sha256=${createHmac('sha256', key)
        .update(push?.body ?? '')
        .digest('hex')}`;
    expect(push?.headers).toMatchObject({
      'x-lotward-signature': sign(hook.secret),
      'x-lotward-signature-next': sign(secret),
    });
  });

  it.each([
    ['unknown', 'order.eaten', 'not_allowed'],
    ['not subscribed to', 'expiry.warning', 'not_subscribed'],
  ])('of a type that is %s is refused, and nothing is sent', async (_, eventType, reason) => {
    const hook = await world.subscribe();
    const answer = await hook.call('POST', '/test', { eventType });
    expect([answer.status, answer.reason]).toEqual([400, reason]);
    expect(hook.pushes()).toEqual([]);
  });
});
