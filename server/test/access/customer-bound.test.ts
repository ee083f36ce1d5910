import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, callApi } from '../harness/index.js';
import { sale } from './documents.js';
import { visibleAnswer } from './visible-answer.js';
import { keysOf, openWorld, type World } from './world.js';

interface Page<T> {
  items: T[];
}
interface Placed {
  customerCode: string;
}
interface Event {
  eventType: string;
  data: { customerCode?: string | null };
}

const OTHER = 'HOSP-1';
const documents = { order: '/v2/orders', dispatch: '/v2/dispatches' } as const;
const others: Record<keyof typeof documents, string> = { order: '', dispatch: '' };

let world: World;
let bound: string;
beforeAll(async () => {
  world = await openWorld();
  bound = (await keysOf(world).create({ customerCode: world.ours.partner })).apiKey;
  others.order = await world.make.order('approved', OTHER);
  others.dispatch = await world.make.dispatch('dispatched', OTHER);
  // Documents of its own in the same statuses, and one of no customer: a purchase.
  await world.make.dispatch('dispatched', world.ours.partner);
  const lines = [{ lineNo: 1, acceptedQuantity: 1, rejectedQuantity: 0 }];
  const path = `/v2/receipts/${await world.make.receipt()}/acceptance`;
  expect((await world.api.call('POST', path, { lines }, world.organization.key)).status).toBe(200);
});
afterAll(() => world.close());

const ask = <D>(method: string, path: string, body?: object, key = bound) =>
  callApi<D>(world.api.url, method, path, body, key, { 'x-request-id': 'bound' });

describe('a credential bound to a customer', () => {
  it.each(['order', 'dispatch'] as const)('sees its own %s', async (kind) => {
    const answer = await ask<Placed>('GET', `${documents[kind]}/${world.ours[kind]}`);
    expect(answer, answer.text).toMatchObject({ status: 200, data: { customerCode: world.ours.partner } });
  });

  it.each(['order', 'dispatch'] as const)(
    'is answered for another %s as for one that is not',
    async (kind) => {
      const path = documents[kind];
      expect((await ask('GET', `${path}/${others[kind]}`, undefined, world.organization.key)).status).toBe(
        200,
      );
      const missing = world.nobodys[kind];
      const notFound = visibleAnswer(await ask('GET', `${path}/${missing}`), missing);
      expect(notFound.status).toBe(404);
      const foreign = others[kind];
      expect(visibleAnswer(await ask('GET', `${path}/${foreign}`), foreign)).toEqual(notFound);
      const another = world.theirs[kind];
      expect(visibleAnswer(await ask('GET', `${path}/${another}`), another)).toEqual(notFound);
    },
  );

  it.each(Object.values(documents))('lists only its own: %s', async (path) => {
    const all = await ask<Page<Placed>>('GET', `${path}?limit=200`, undefined, world.organization.key);
    const own = await ask<Page<Placed>>('GET', `${path}?limit=200`);
    const customers = (answer: Answer<Page<Placed>>) => new Set(answer.data.items.map((i) => i.customerCode));
    expect(customers(all)).toEqual(new Set([OTHER, world.ours.partner]));
    expect(customers(own)).toEqual(new Set([world.ours.partner]));
  });

  it("finds no dispatch by another customer's order", async () => {
    const { data } = await ask<{ orderId: string }>(
      'GET',
      `/v2/dispatches/${others.dispatch}`,
      undefined,
      world.organization.key,
    );
    const answer = await ask<Page<Placed>>('GET', `/v2/dispatches?orderId=${data.orderId}`);
    expect([answer.status, answer.data.items]).toEqual([200, []]);
  });

  it('gets 403 for another customer in a query or a body, whether or not it exists', async () => {
    const refused = { status: 403, code: 1003, reason: 'customer_bound', data: null };
    for (const customerCode of [OTHER, 'NOBODY', world.theirs.partner]) {
      expect(await ask('GET', `/v2/orders?customerCode=${customerCode}`)).toMatchObject(refused);
      for (const part of [{ ...sale }, { cancel: true }]) {
        const body = { ...part, orderNo: 'BOUND-1', customerCode };
        expect(await ask('POST', '/v2/orders', body)).toMatchObject(refused);
      }
    }
    const sold = { ...sale, orderNo: 'BOUND-1', customerCode: world.ours.partner };
    expect(await ask('POST', '/v2/orders', sold)).toMatchObject({ status: 200, data: { result: 'created' } });
  });

  it("does not touch another customer's order that has the same number", async () => {
    const orderNo = 'SHARED-NO';
    const key = world.organization.key;
    const mine = { ...sale, orderNo, customerCode: world.ours.partner };
    const first = await ask<{ orderId: string }>('POST', '/v2/orders', { ...sale, orderNo }, key);
    const own = await ask<{ orderId: string }>('POST', '/v2/orders', { ...mine, remark: 'ours' });
    expect(own).toMatchObject({ status: 200, data: { result: 'created', customerCode: world.ours.partner } });
    expect(own.data.orderId).not.toBe(first.data.orderId);
    const cancelled = await ask('POST', '/v2/orders', { ...mine, cancel: true });
    expect(cancelled).toMatchObject({ status: 200, data: { result: 'cancelled' } });
    const untouched = await ask('GET', `/v2/orders/${first.data.orderId}`, undefined, key);
    expect(untouched.data).toMatchObject({ status: 'pending_approval', remark: null, version: 1 });
  });

  it('reads the events of its own orders and dispatches, its own view of recalls, and no others', async () => {
    const read = async (key: string) =>
      (await ask<Page<Event>>('GET', '/v2/events?limit=200', undefined, key)).data.items;
    const types = (events: Event[]) => [...new Set(events.map((event) => event.eventType))].sort();
    const all = await read(world.organization.key);
    const own = await read(bound);
    expect(types(all)).toContain('inventory.inbound_completed');
    expect(types(own)).toEqual(['inventory.outbound_completed', 'order.status_changed', 'recall.opened']);
    const ofRecall = (event: Event) => event.eventType === 'recall.opened';
    const ours = all.filter((event) => event.data.customerCode === world.ours.partner);
    expect(ours.length).toBeLessThan(all.length);
    expect(own.filter((event) => !ofRecall(event))).toEqual(ours);
    for (const { data } of own.filter(ofRecall))
      expect(data).toMatchObject({ customerCode: world.ours.partner, consignees: 1 });
    expect(all.filter(ofRecall).map(({ data }) => data.customerCode)).toContain(null);
  });
});
