import { openReceiver } from '../harness/index.js';
import { type Attack, type Ground, type Probe, sayFlood } from './attack.js';
import { type Organization, orderOf } from './service.js';

const WEBHOOKS = 40;
const ORDERS = 800;
const ORDERING_MS = 3_000;
const EVENTS_PER_SECOND = 40;
const REGISTERING = 8;
const VICTIM_HOST = 'hook.victim.example';

const eventTypes = ['order.status_changed'];
const webhookOf = (callbackUrl: string) => JSON.stringify({ callbackUrl, eventTypes });

/** Creates and deletes a webhook whose host has to be looked up. */
const registering = (group: string, keys: string[]): Probe => ({
  ...{ name: 'webhook', group, perSecond: 4, method: 'POST', path: '/v2/webhooks', keys },
  body: webhookOf(`http://${VICTIM_HOST}:8443/hook`),
  next: 'deleteWebhook',
});

/** Orders whose cancellations are pushed to every webhook of the organization. */
async function makeOrders(ground: Ground, { orgId }: Organization, keys: string[]): Promise<string[]> {
  const requests = [{ method: 'POST', path: '/v2/orders', body: orderOf('E') }];
  await ground.flood({ connections: 16, durationMs: ORDERING_MS, keys, requests });
  const orders = await ground.service.sql<{ order_id: string }>(
    `select order_id from orders where org_id = $1 limit ${ORDERS}`,
    [orgId],
  );
  return orders.map((order) => order.order_id);
}

/** An attacker with forty webhooks and a stream of events for them. */
async function openPushes(ground: Ground, callbackUrlOf: (n: number) => string) {
  const attacker = await ground.newAttacker();
  const keys = await attacker.moreKeys(10);
  for (let n = 0; n < WEBHOOKS; n++)
    await ground.service.must('POST', '/v2/webhooks', JSON.parse(webhookOf(callbackUrlOf(n))), attacker.key);
  const orderIds = await makeOrders(ground, attacker, keys);
  const requests = orderIds.map((orderId) => ({
    ...{ method: 'POST', path: `/v2/orders/${orderId}/cancel` },
    body: '{"reason":"neighbours"}',
  }));
  return {
    keys,
    /** Events that are left are not to burden the next measurement. */
    async close() {
      const list = '/v2/webhooks?limit=200';
      const { items } = await ground.service.must<{ items: { webhookId: string }[] }>(
        'GET',
        list,
        undefined,
        attacker.key,
      );
      for (const { webhookId } of items)
        await ground.service.must('DELETE', `/v2/webhooks/${webhookId}`, undefined, attacker.key);
    },
    cancelling: (durationMs: number) =>
      ground.flood({ connections: 8, durationMs, keys, requests, rate: EVENTS_PER_SECOND }),
  };
}

const silentNames: Attack = {
  name: 'names that never resolve',
  what: `${WEBHOOKS} webhooks on names whose name server never answers, with ${EVENTS_PER_SECOND} events a second, and ${REGISTERING} connections that register more.`,
  countedBy: 'webhooks/silent-names.test.ts, platform/outbound-http/name-resolver.test.ts',
  async open(ground) {
    ground.names.zone = { [VICTIM_HOST]: ['127.0.0.1'] };
    const { keys, cancelling, close } = await openPushes(
      ground,
      (n) => `http://silent-${n}.attacker.example:8443/hook`,
    );
    const more = [
      { method: 'POST', path: '/v2/webhooks', body: webhookOf('http://silent-{n}.more.example:8443/hook') },
    ];
    return {
      probes: [registering('webhooks', ground.victim.keys)],
      async run(durationMs) {
        ground.names.silentFor = (name) => name.startsWith('silent-');
        const [cancelled, registered] = await Promise.all([
          cancelling(durationMs),
          ground.flood({ connections: REGISTERING, durationMs, keys, requests: more }),
        ]);
        return { did: `cancellations: ${sayFlood(cancelled)}; webhooks: ${sayFlood(registered)}` };
      },
      async close() {
        ground.names.silentFor = () => false;
        await close();
      },
    };
  },
};

const slowReceiver: Attack = {
  name: 'a receiver that never answers',
  what: `${WEBHOOKS} webhooks on an endpoint that accepts every push and never answers, with ${EVENTS_PER_SECOND} events a second.`,
  countedBy: 'test/journeys/webhook-hanging.test.ts',
  async open(ground) {
    const receiver = await openReceiver();
    receiver.answer = () => 'hang';
    const { cancelling, close } = await openPushes(ground, (n) => receiver.url(`/hook/${n}`));
    return {
      run: async (durationMs) => ({
        did: `cancellations: ${sayFlood(await cancelling(durationMs))}; ${receiver.received.length} pushes hang`,
      }),
      async close() {
        await close();
        await receiver.close();
      },
    };
  },
};

const manyWebhooks: Attack = {
  name: 'webhooks of one customer without end',
  what: 'Keys restricted to one customer create webhooks without a pause, on 24 connections. Another customer of the same organization creates one now and then.',
  countedBy: 'webhooks/quota.test.ts',
  async open(ground) {
    ground.names.zone = { [VICTIM_HOST]: ['127.0.0.1'] };
    const attacker = await ground.newAttacker();
    const keys = await attacker.customerKeys('HOSP-1', 20);
    const requests = [
      { method: 'POST', path: '/v2/webhooks', body: webhookOf('http://127.0.0.1:8443/hook/{n}') },
    ];
    return {
      probes: [registering('other customer', await attacker.customerKeys('HOSP-2', 2))],
      run: async (durationMs) => ({
        did: sayFlood(await ground.flood({ connections: 24, durationMs, keys, requests })),
      }),
    };
  },
};

export const webhookAttacks: Attack[] = [silentNames, slowReceiver, manyWebhooks];
