import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../src/access/index.js';
import {
  type Delivered,
  openPushWorld,
  type PushWorld,
  type Subscriber,
  type TestOrganization,
} from '../../test/harness/index.js';
import { deliveryIdOf } from './webhook.js';

/** A webhook of two areas, and a key that may manage webhooks but reads only one of them. */
const BOTH = ['order.status_changed', 'expiry.warning'];
const ORDERS = ['order.status_changed'];
const BEGINNING = '2026-01-01T00:00:00Z';

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
});
afterAll(async () => {
  expect(world?.worker.complaints).toEqual([]);
  await world?.close();
});

const narrowKey = async (org: TestOrganization, ...more: Scope[]) =>
  (await org.newKey({ scopes: ['webhooks:read', 'webhooks:write', 'orders:read', ...more] })).apiKey;

/** Calls about the webhook with another key than its owner's. */
const callAs =
  (hook: Subscriber, key: string) =>
  <D = object>(method: string, under = '', body?: object) =>
    world.api.call<D>(method, `/v2/webhooks/${hook.webhookId}${under}`, body, key);
type Call = ReturnType<typeof callAs>;

/** Everything that sends events, or decides where they go and who can sign them. */
const SENDING: readonly [string, (call: Call, deliveryId: string) => ReturnType<Call>][] = [
  ['a change of URL', (call) => call('PATCH', '', { callbackUrl: world.receiver.url('/elsewhere') })],
  [
    'a change of URL and types at once',
    (call) => call('PATCH', '', { callbackUrl: world.receiver.url('/elsewhere'), eventTypes: ORDERS }),
  ],
  ['a wider filter', (call) => call('PATCH', '', { filter: null })],
  ['other headers', (call) => call('PATCH', '', { headers: { 'X-Tenant': 'other' } })],
  ['enabling', (call) => call('POST', '/enable', {})],
  ['enabling by PATCH', (call) => call('PATCH', '', { status: 'enabled' })],
  ['rotating the secret', (call) => call('POST', '/rotate-secret', { overlapSeconds: 0 })],
  ['a test', (call) => call('POST', '/test', {})],
  ['a test of its own area', (call) => call('POST', '/test', { eventType: 'order.status_changed' })],
  ['recovery', (call) => call('POST', '/recover', { since: BEGINNING })],
  ['redelivery of one push', (call, deliveryId) => call('POST', `/deliveries/${deliveryId}/redeliver`, {})],
];

async function subscribed() {
  const hook = await world.subscribe({ eventTypes: BOTH });
  await hook.happen({ type: 'expiry.warning', entity: 'p_1' }, { entity: 'ord_1' });
  const [warning] = (await hook.expectStatuses(['delivered', 'delivered'])) as [Delivered, Delivered];
  return { hook, warning };
}

describe('a credential that lacks an area of what a webhook sends', () => {
  it.each(SENDING)('is refused %s', async (_name, send) => {
    const { hook, warning } = await subscribed();
    const before = await hook.read();
    const arrived = hook.pushes().length;
    const call = callAs(hook, await narrowKey(hook.org));
    const refused = await send(call, warning.deliveryId);
    expect([refused.status, refused.reason], refused.text).toEqual([403, 'scope_missing']);
    expect(refused.json.errors[0]?.message).toContain('inventory:read');
    expect(await hook.read()).toEqual(before);
    await world.worker.looked();
    expect(hook.pushes()).toHaveLength(arrived);
    expect(world.receiver.at('/elsewhere')).toEqual([]);
  });

  it.each(SENDING)(
    'is refused %s after narrowing it to its own area, while older events are kept',
    async (_name, send) => {
      const { hook, warning } = await subscribed();
      const call = callAs(hook, await narrowKey(hook.org));
      expect((await call('PATCH', '', { eventTypes: ORDERS })).status).toBe(200);
      const arrived = hook.pushes().length;
      const refused = await send(call, warning.deliveryId);
      expect([refused.status, refused.reason], refused.text).toEqual([403, 'scope_missing']);
      await world.worker.looked();
      expect(hook.pushes()).toHaveLength(arrived);
      expect(world.receiver.at('/elsewhere')).toEqual([]);
      // With the area it may.
      const allowed = await send(
        callAs(hook, await narrowKey(hook.org, 'inventory:read')),
        warning.deliveryId,
      );
      expect(allowed.status, allowed.text).toBe(200);
    },
  );

  it('is refused recovery over a span in which the subscription was wider, though nothing else was missed', async () => {
    const hook = await world.subscribe({ eventTypes: BOTH });
    await hook.must('PATCH', '', { status: 'disabled' });
    await hook.happen({ type: 'expiry.warning', entity: 'p_1' }, { entity: 'ord_1' });
    await hook.must('PATCH', '', { eventTypes: ORDERS });
    await hook.must('POST', '/enable', {});
    const call = callAs(hook, await narrowKey(hook.org));
    const refused = await call('POST', '/recover', { since: BEGINNING });
    expect([refused.status, refused.reason], refused.text).toEqual([403, 'scope_missing']);
    // Counting discloses no event.
    const counted = await call('POST', '/recover', { since: BEGINNING, dryRun: true });
    expect(counted, counted.text).toMatchObject({ status: 200, data: { skipped: 2 } });
    await world.worker.looked();
    expect(hook.pushes()).toEqual([]);
  });

  it('may still read it, describe it, narrow it, disable it and delete it', async () => {
    const { hook } = await subscribed();
    const call = callAs(hook, await narrowKey(hook.org));
    for (const body of [{ description: 'ours' }, { eventTypes: ORDERS }, { status: 'disabled' }]) {
      const changed = await call('PATCH', '', body);
      expect(changed.status, changed.text).toBe(200);
    }
    expect((await call('GET')).status).toBe(200);
    expect((await call('DELETE')).status).toBe(200);
  });

  it('may send again once no event of the area is kept', async () => {
    const { hook } = await subscribed();
    const call = callAs(hook, await narrowKey(hook.org));
    await call('PATCH', '', { eventTypes: ORDERS });
    await hook.happen({ entity: 'ord_2' });
    const pushes = await hook.expectPushes(3);
    const later = String(pushes.at(-1)?.headers['webhook-id']);
    const redeliver = () => call('POST', `/deliveries/${deliveryIdOf(hook.webhookId, later)}/redeliver`, {});
    expect((await redeliver()).reason).toBe('scope_missing');
    await world.db.sql(`delete from events where org_id = $1 and event_id <> $2`, [hook.orgId, later]);
    const allowed = await redeliver();
    expect(allowed.status, allowed.text).toBe(200);
    await hook.expectPushes(4);
  });
});

describe('two calls at once', () => {
  it('do not narrow a webhook and redirect it in between', async () => {
    const { hook } = await subscribed();
    const call = callAs(hook, await narrowKey(hook.org));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        i % 2 === 0
          ? call('PATCH', '', { eventTypes: ORDERS })
          : call('PATCH', '', { callbackUrl: world.receiver.url('/elsewhere') }),
      ),
    );
    expect(answers.filter((_, i) => i % 2 === 1).map(({ status }) => status)).toEqual(Array(6).fill(403));
    expect((await hook.read()).callbackUrl).toBe(world.receiver.url(hook.path));
  });
});
