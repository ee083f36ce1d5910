import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveryIdOf } from '../../src/webhooks/webhook.js';
import { callApi } from '../harness/index.js';
import { expectedAnswers } from './expected-answers/index.js';
import { visibleAnswer } from './visible-answer.js';
import { keysOf, openWorld, type World } from './world.js';

interface Webhook {
  webhookId: string;
  customerCode: string | null;
  callbackUrl: string;
  status: string;
}
interface Page<T> {
  items: T[];
}

const PATH = '/v2/webhooks';
const OTHER = 'HOSP-1';
const body = { callbackUrl: 'https://partner.example/hooks', eventTypes: ['order.status_changed'] };

let world: World;
/** Bound to our partner, bound to another customer, and to none. */
let bound: string;
let boundToOther: string;
let unbound: string;
/** Webhooks created with the last two; the partner's own is `world.ours.webhook`. */
let others: Webhook;
let everybodys: Webhook;
beforeAll(async () => {
  world = await openWorld();
  const keys = keysOf(world);
  bound = (await keys.create({ customerCode: world.ours.partner })).apiKey;
  boundToOther = (await keys.create({ customerCode: OTHER })).apiKey;
  unbound = world.organization.key;
  others = (await ask<Webhook>('POST', PATH, body, boundToOther)).data;
  everybodys = (await ask<Webhook>('POST', PATH, body, unbound)).data;
  for (const customerCode of [OTHER, world.ours.partner]) await world.make.order('approved', customerCode);
});
afterAll(() => world.close());

const ask = <D>(method: string, path: string, sent?: unknown, key = bound) =>
  callApi<D>(world.api.url, method, path, sent, key, { 'x-request-id': 'bound' });
const listed = async (key: string) =>
  (await ask<Page<Webhook>>('GET', `${PATH}?limit=200`, undefined, key)).data.items;
const idsOf = (webhooks: Webhook[]) => webhooks.map(({ webhookId }) => webhookId).sort();

/** Every route that names a webhook. */
const naming = expectedAnswers.flatMap(({ route, names }) =>
  names
    .filter(({ kind }) => kind === 'webhook')
    .map(({ request }) => ({ route, method: route.slice(0, route.indexOf(' ')), request })),
);

describe('a credential bound to a customer', () => {
  it('creates only webhooks that are bound to its customer', async () => {
    expect(others.customerCode).toBe(OTHER);
    expect(everybodys.customerCode).toBeNull();
    const own = await ask<Webhook>('GET', `${PATH}/${world.ours.webhook}`);
    expect(own.data).toMatchObject({ customerCode: world.ours.partner });
    for (const customerCode of [OTHER, null]) {
      expect(await ask('POST', PATH, { ...body, customerCode })).toMatchObject({ status: 400, code: 1001 });
      const path = `${PATH}/${world.ours.webhook}`;
      expect(await ask('PATCH', path, { customerCode })).toMatchObject({ status: 400, code: 1001 });
    }
  });

  it('lists only the webhooks of its customer; an unbound credential lists all', async () => {
    expect(idsOf(await listed(bound))).toEqual([world.ours.webhook]);
    expect(idsOf(await listed(boundToOther))).toEqual([others.webhookId]);
    expect(idsOf(await listed(unbound))).toEqual(
      [world.ours.webhook, others.webhookId, everybodys.webhookId].sort(),
    );
  });

  it('(the table of expected answers covers every route with a webhook in its path)', () => {
    const inPath = expectedAnswers.filter(({ route }) => route.includes('/:webhookId'));
    expect(naming.map(({ route }) => route)).toEqual(inPath.map(({ route }) => route));
    expect(naming.length).toBeGreaterThanOrEqual(12);
  });

  it.each(naming)(
    'is answered for the webhooks of others as for none: $route',
    async ({ method, request }) => {
      const tell = async (webhookId: string) => {
        const { path, body: sent } = request(webhookId, world.ours);
        return visibleAnswer(await ask(method, path, sent), webhookId);
      };
      const missing = await tell(world.nobodys.webhook);
      expect(missing.status).toBe(404);
      const before = await listed(unbound);
      for (const webhookId of [others.webhookId, everybodys.webhookId, world.theirs.webhook])
        expect(await tell(webhookId)).toEqual(missing);
      expect(await listed(unbound), 'nothing changed').toEqual(before);
    },
  );

  it('lists the pushes of its own webhook, all of them of its own events', async () => {
    const customersOf = async (webhookId: string, key: string) => {
      const path = `${PATH}/${webhookId}/deliveries`;
      const { items } = (await ask<Page<{ deliveryId: string }>>('GET', path, undefined, key)).data;
      const pushes = items.map(({ deliveryId }) =>
        ask<{ event: { data: { customerCode: string } } }>('GET', `${path}/${deliveryId}`, undefined, key),
      );
      return new Set((await Promise.all(pushes)).map(({ data }) => data.event.data.customerCode));
    };
    expect(await customersOf(world.ours.webhook, bound)).toEqual(new Set([world.ours.partner]));
    expect(await customersOf(others.webhookId, boundToOther)).toEqual(new Set([OTHER]));
    expect(await customersOf(everybodys.webhookId, unbound)).toEqual(new Set([OTHER, world.ours.partner]));
  });

  it("can neither read nor resend a push of another customer's event, at any webhook", async () => {
    const path = `${PATH}/${others.webhookId}/deliveries`;
    const { data } = await ask<Page<{ eventId: string }>>('GET', path, undefined, boundToOther);
    const foreign = data.items[0]?.eventId ?? '';
    for (const [method, rest] of [['GET', ''] as const, ['POST', '/redeliver'] as const]) {
      const callAboutPush = async (webhookId: string, eventId: string, key = bound) => {
        const deliveryId = deliveryIdOf(webhookId, eventId);
        const push = `${PATH}/${webhookId}/deliveries/${deliveryId}${rest}`;
        return visibleAnswer(await ask(method, push, method === 'POST' ? {} : undefined, key), deliveryId);
      };
      const missing = await callAboutPush(world.ours.webhook, world.nobodys.event);
      expect(missing.status).toBe(404);
      expect(await callAboutPush(world.ours.webhook, foreign)).toEqual(missing);
      // The webhook itself is not found, as if it did not exist.
      const noWebhook = await callAboutPush(world.nobodys.webhook, foreign);
      expect(noWebhook.status).toBe(404);
      expect(await callAboutPush(others.webhookId, foreign)).toEqual(noWebhook);
      expect((await callAboutPush(others.webhookId, foreign, boundToOther)).status).toBe(200);
      expect((await callAboutPush(world.ours.webhook, world.ours.event)).status).toBe(200);
    }
  });

  it('can change its own webhook, as can an unbound credential; the webhook stays bound', async () => {
    for (const [key, description] of [[bound, 'by the customer'] as const, [unbound, 'by us'] as const]) {
      const changed = await ask('PATCH', `${PATH}/${world.ours.webhook}`, { description }, key);
      expect(changed, changed.text).toMatchObject({
        status: 200,
        data: { description, customerCode: world.ours.partner },
      });
    }
  });
});
