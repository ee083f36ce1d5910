import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCAL_WEBHOOKS, openReceiver, type Receiver, startWorker } from '../../test/harness/index.js';
import { counts, openRecallWorld } from '../../test/harness/recall-world.js';

interface Event {
  eventId: string;
  eventType: string;
  data: Record<string, unknown>;
}

const TYPES = ['recall.opened', 'recall.updated', 'recall.closed'];

let world: Awaited<ReturnType<typeof openRecallWorld>>;
let receiver: Receiver;
let worker: Awaited<ReturnType<typeof startWorker>>;
beforeAll(async () => {
  world = await openRecallWorld({ alone: true, webhooks: LOCAL_WEBHOOKS });
  receiver = await openReceiver();
  worker = await startWorker(world.db, { webhooks: LOCAL_WEBHOOKS });
});
afterAll(async () => {
  await worker.stop();
  await receiver.close();
  await world.close();
});

const keyFor = async (customerCode: string | null, scopes?: string[]) =>
  (
    await world.org.newKey({
      ...(customerCode ? { customerCode } : {}),
      ...(scopes ? { scopes } : {}),
    } as object)
  ).apiKey;
const READER = ['events:read', 'recalls:read', 'orders:read'];

async function feedOf(recallId: string, key = world.org.key): Promise<Event[]> {
  const events: Event[] = [];
  for (let after = ''; ; ) {
    const { data } = await world.call<{ items: Event[]; nextCursor: string; hasMore: boolean }>(
      'GET',
      `/v2/events?limit=200${after}`,
      undefined,
      key,
    );
    events.push(...data.items);
    if (!data.hasMore) return events.filter(({ data: { recallId: id } }) => id === recallId);
    after = `&after=${data.nextCursor}`;
  }
}
const summaryOf = (events: readonly Event[]) =>
  events.map(({ eventType, data }) => [eventType, data.customerCode, data.quantities]);

/** B1 was shipped to one customer, B2 to another, and both are recalled. */
async function recalled() {
  const { newProduct, enter, ship, recall } = world;
  const product = await newProduct();
  await enter(product, 'B1', 10);
  await enter(product, 'B2', 5);
  await ship({ product, batchNo: 'B1', quantity: 10, customer: 'HOSP-1' });
  await ship({ product, batchNo: 'B2', quantity: 5, customer: 'HOSP-2' });
  return { product, ...(await recall(product, { batchNos: ['B1', 'B2'] })) };
}

const delivered = (of: number, given: Record<string, number> = {}) => ({
  delivered: of,
  ...counts(given),
  notAnswered: of - Object.values(given).reduce((sum, each) => sum + each, 0),
});

describe('the events of a recall', () => {
  it('are one for each change, and none for a refused one', async () => {
    const { answer, must, closeRecall } = world;
    const { product, recallId, recallNo } = await recalled();
    expect((await closeRecall(recallId)).status).toBe(400);
    expect((await answer(recallId, 'HOSP-1', { used: 11 })).status).toBe(400);
    await must(`/v2/recalls/${recallId}/acknowledgements`, { customerCode: 'HOSP-2' });
    await answer(recallId, 'HOSP-1', { used: 4, onHand: 6 });
    await answer(recallId, 'HOSP-2', { returned: 5 });
    expect((await closeRecall(recallId)).status).toBe(200);
    const events = await feedOf(recallId);
    expect(summaryOf(events)).toEqual([
      ['recall.opened', null, delivered(15)],
      ['recall.updated', 'HOSP-2', delivered(15)],
      ['recall.updated', 'HOSP-1', delivered(15, { used: 4, onHand: 6 })],
      ['recall.updated', 'HOSP-2', delivered(15, { used: 4, onHand: 6, returned: 5 })],
      ['recall.closed', null, delivered(15, { used: 4, onHand: 6, returned: 5 })],
    ]);
    expect(events[0]?.data).toEqual({
      ...{ recallId, recallNo, productCode: product, productName: 'Valve', extent: 'batches' },
      ...{ batchNos: ['B1', 'B2'], serials: [], class: 'II', reason: 'cracks', status: 'open' },
      ...{ customerCode: null, consignees: 2, acknowledged: 0, answered: 0, quantities: delivered(15) },
    });
    expect(events.at(-1)?.data).toMatchObject({ status: 'closed', acknowledged: 2, answered: 2 });
    expect(await feedOf(recallId, await keyFor(null, ['events:read', 'orders:read']))).toEqual([]);
  });

  it('show a customer its own goods and answers, and nothing of others', async () => {
    const { recallId } = await recalled();
    await world.answer(recallId, 'HOSP-1', { used: 4 });
    await world.answer(recallId, 'HOSP-2', { returned: 5 });
    await world.closeRecall(recallId);
    const own = await feedOf(recallId, await keyFor('HOSP-1', READER));
    expect(summaryOf(own)).toEqual([
      ['recall.opened', 'HOSP-1', delivered(10)],
      ['recall.updated', 'HOSP-1', delivered(10, { used: 4 })],
      ['recall.closed', 'HOSP-1', delivered(10, { used: 4 })],
    ]);
    for (const { data } of own) expect(data).toMatchObject({ batchNos: ['B1'], consignees: 1 });
    expect(JSON.stringify(own)).not.toMatch(/HOSP-2|B2/);
    expect(await feedOf(recallId, await keyFor('HOSP-3', READER))).toEqual([]);
    // The views of customers are not read by the organization.
    const ofAll = new Set((await feedOf(recallId)).map(({ eventId }) => eventId));
    expect(own.filter(({ eventId }) => ofAll.has(eventId))).toEqual([]);
    expect(ofAll.size).toBe(4);
  });

  it('name to a customer the serialized units it got', async () => {
    const { newProduct, enter, ship, recall } = world;
    const product = await newProduct('serial');
    await enter(product, 'B1', 2, { serials: ['S1', 'S2'] });
    const unit = { product, batchNo: 'B1', quantity: 1 };
    await ship({ ...unit, customer: 'HOSP-1', serials: ['S1'] });
    await ship({ ...unit, customer: 'HOSP-2', serials: ['S2'] });
    const { recallId } = await recall(product, { serials: ['S1', 'S2'] });
    const serialsFor = async (key: string) => (await feedOf(recallId, key)).map(({ data }) => data.serials);
    expect(await serialsFor(await keyFor('HOSP-2', READER))).toEqual([['S2']]);
    expect(await serialsFor(world.org.key)).toEqual([['S1', 'S2']]);
  });

  it('are never before one another, though a transaction began earlier', async () => {
    const { db, answer } = world;
    const { recallId } = await recalled();
    db.clock.advance(60_000);
    await answer(recallId, 'HOSP-1', { used: 1 });
    db.clock.advance(-60_000);
    await answer(recallId, 'HOSP-1', { used: 2 });
    const [, second, third] = (await feedOf(recallId)) as (Event & { timestamp: string })[];
    expect(third?.data.quantities).toMatchObject({ used: 2 });
    expect(third?.timestamp).toBe(second?.timestamp);
  });
});

describe('a webhook', () => {
  let hooks = 0;
  async function subscribe(key: string, eventTypes: string[]) {
    const path = `/recall/${++hooks}`;
    const created = await world.call<{ webhookId: string }>(
      'POST',
      '/v2/webhooks',
      { callbackUrl: receiver.url(path), eventTypes },
      key,
    );
    return {
      ...created,
      pushed: () => receiver.at(path).map(({ body }) => JSON.parse(body.toString()) as Event),
      expectPushes: (count: number) => receiver.expectPushes(count, path),
      completeness: async () =>
        (
          await world.call<{ matched: number; delivered: number }>(
            'GET',
            `/v2/webhooks/${created.data.webhookId}/completeness?from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z`,
            undefined,
            key,
          )
        ).data,
    };
  }

  it('is pushed what its customer may read, and only if it named the types', async () => {
    const bound = await keyFor('HOSP-1', [...READER, 'webhooks:read', 'webhooks:write']);
    const all = await subscribe(world.org.key, TYPES);
    const own = await subscribe(bound, TYPES);
    const outsider = await subscribe(
      await keyFor('HOSP-3', [...READER, 'webhooks:read', 'webhooks:write']),
      TYPES,
    );
    const unnamed = await subscribe(world.org.key, ['order.status_changed']);
    const { recallId } = await recalled();
    await world.answer(recallId, 'HOSP-1', { used: 4 });
    await world.answer(recallId, 'HOSP-2', { returned: 5 });
    await world.closeRecall(recallId);
    await all.expectPushes(4);
    await own.expectPushes(3);
    expect(all.pushed()).toEqual(await feedOf(recallId));
    expect(own.pushed()).toEqual(await feedOf(recallId, bound));
    expect(outsider.pushed()).toEqual([]);
    expect(unnamed.pushed().filter(({ eventType }) => TYPES.includes(eventType))).toEqual([]);
    const complete = (count: number) => ({
      ...{ matched: count, delivered: count, pending: 0, failed: 0, skipped: 0, missingEventIds: [] },
    });
    await expect.poll(() => all.completeness()).toMatchObject(complete(4));
    await expect.poll(() => own.completeness()).toMatchObject(complete(3));
    expect(await outsider.completeness()).toMatchObject(complete(0));
  });

  it('cannot subscribe without recalls:read', async () => {
    const key = await keyFor(null, ['webhooks:read', 'webhooks:write', 'orders:read']);
    expect(await subscribe(key, TYPES)).toMatchObject({ status: 403, reason: 'scope_missing' });
  });
});
