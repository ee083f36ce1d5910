import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  GTIN,
  LOCAL_WEBHOOKS,
  newOrganization,
  openReceiver,
  openTestService,
  type Receiver,
  type Reply,
  stockCatalogue,
  type WebhookData,
} from '../../../test/harness/index.js';
import { WEBHOOK_DEFAULTS } from '../../config/index.js';
import { type Outbound, openOutbound } from '../outbound.js';
import { verifySignatures } from '../signing.js';
import { openStockPushes, type StockPushes } from './stock-pushes.js';

let service: Awaited<ReturnType<typeof openTestService>>;
let receiver: Receiver;
let outbound: Outbound;
/** Two processes. */
let pushes: StockPushes;
let others: StockPushes;
const failures: unknown[] = [];
const replies = new Map<string, () => Reply>();
beforeAll(async () => {
  service = await openTestService({ alone: true, webhooks: LOCAL_WEBHOOKS });
  receiver = await openReceiver();
  receiver.answer = (push) => replies.get(push.path)?.() ?? 204;
  const { database, box, clock } = service.db;
  outbound = openOutbound({ ...LOCAL_WEBHOOKS, clock, canUseLoopback: async () => true });
  const open = () =>
    openStockPushes({
      ...{ database, box, policy: { ...WEBHOOK_DEFAULTS, ...LOCAL_WEBHOOKS } },
      ...{ consoleUrl: 'https://lotward.example', adminEmail: null },
      senderFor: async (orgId) => (await outbound.forOrganization(orgId)).sender,
      onError: (error) => failures.push(error),
    });
  pushes = open();
  others = open();
});
afterAll(async () => {
  await pushes?.stop();
  await others?.stop();
  expect(failures).toEqual([]);
  await outbound?.close();
  await receiver?.close();
  await service?.close();
});

const run = async (which = pushes) => {
  await which.look();
  await which.idle();
};
const pass = (ms: number) => service.db.clock.advance(ms);

let made = 0;
async function newStock(hook: object = {}) {
  const org = await newOrganization(service.db);
  await stockCatalogue(service.api, org.key);
  const must = async <D>(method: string, path: string, body?: object): Promise<D> => {
    const answer = await service.call<D>(method, path, body, org.key);
    expect(answer.status, answer.text).toBe(200);
    return answer.data;
  };
  const enter = (quantityDelta: number, more: object = {}) =>
    must('POST', '/v2/stock/adjustments', {
      ...{
        productCode: 'GLOVE-1',
        warehouse: 'WH-1',
        quantityDelta,
        reason: 'count',
        ...more,
      },
    });
  const path = `/stock/${++made}`;
  const create = (more: object = {}) =>
    must<WebhookData>('POST', '/v2/webhooks', {
      ...{ callbackUrl: receiver.url(path), eventTypes: ['inventory.changed'], ...hook, ...more },
    });
  const got = () =>
    receiver.at(path).map((push) => {
      const { eventId, data } = JSON.parse(push.body.toString());
      return { eventId, warehouse: data.warehouse, product: data.productCode, total: data.totalQuantity };
    });
  const totals = () => got().map(({ total }) => total);
  const cursor = async () =>
    (
      await service.db.sql('select * from webhook_stock_cursors where org_id = $1', [org.organization.orgId])
    )[0];
  return { org, must, enter, path, create, got, totals, cursor };
}

it('a change of stock after the webhook was created is pushed once, signed, with its figures, and is in no feed', async () => {
  const stock = await newStock();
  await stock.enter(5);
  const { secret, webhookId } = await stock.create();
  await run();
  expect(stock.got()).toEqual([]);
  await stock.enter(3);
  await run();
  const [push] = receiver.at(stock.path);
  const body = JSON.parse(push?.body.toString() ?? '{}');
  const now = service.db.clock.now().toISOString();
  expect(body).toMatchObject({ eventType: 'inventory.changed', timestamp: now });
  expect(body.data).toMatchObject({
    productCode: 'GLOVE-1',
    warehouse: 'WH-1',
    totalQuantity: 8,
    availableQuantity: 8,
    changedAt: now,
  });
  expect(verifySignatures('lotward', secret, push?.headers ?? {}, push?.body ?? Buffer.alloc(0))).toEqual({
    body: true,
    standard: true,
  });
  pass(10_000);
  await run();
  expect(stock.got()).toHaveLength(1);
  const feed = await stock.must<{ items: object[] }>('GET', '/v2/events');
  expect(feed.items).toEqual([]);
  const far = 'from=2020-01-01T00:00:00Z&to=2099-01-01T00:00:00Z';
  const completeness = await stock.must('GET', `/v2/webhooks/${webhookId}/completeness?${far}`);
  expect(completeness).toMatchObject({ matched: 0 });
  const asked = await service.call('GET', '/v2/events?eventType=inventory.changed', undefined, stock.org.key);
  expect(asked.status).toBe(400);
});

it('many writes within a second are at most one push, and the last figures arrive', async () => {
  const stock = await newStock();
  await stock.create();
  for (let i = 0; i < 25; i++) await stock.enter(1);
  await Promise.all([run(), run(others)]);
  for (let i = 0; i < 25; i++) await stock.enter(1);
  await Promise.all([run(), run(others)]);
  pass(999);
  await run();
  expect(stock.totals()).toEqual([25]);
  pass(1);
  await Promise.all([run(), run(others)]);
  expect(stock.totals()).toEqual([25, 50]);
});

it('only webhooks that name the type get it, and only the warehouses and products they name', async () => {
  const stock = await newStock({ filter: { warehouses: ['WH-2'], productCodes: ['GLOVE-1'] } });
  await stock.create();
  await stock.create({ eventTypes: ['inventory.low_stock'] });
  await stock.create({ filter: { customerCodes: ['HOSP-1'] } });
  await stock.enter(1);
  await stock.enter(2, { warehouse: 'WH-2' });
  await stock.enter(1, {
    warehouse: 'WH-2',
    productCode: 'PUMP-1',
    batchNo: 'B1',
    expiryDate: '2030-01-01',
    serials: ['S1'],
  });
  await run();
  expect(stock.got()).toMatchObject([{ warehouse: 'WH-2', product: 'GLOVE-1', total: 2 }]);
});

it('a process that dies between push and save leaves the cursor: pushed again with the same id', async () => {
  const stock = await newStock();
  await stock.create();
  await stock.enter(4);
  replies.set(stock.path, () => ({
    status: 204,
    until: service.db.sql(
      "update webhook_stock_cursors set lease_token = 'of another', leased_until = now() - interval '1 second' where org_id = $1",
      [stock.org.organization.orgId],
    ),
  }));
  await run();
  replies.delete(stock.path);
  await run(others);
  const ids = stock.got().map(({ eventId }) => eventId);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{26}$/);
  pass(1_000);
  await run();
  expect(stock.got()).toHaveLength(2);
});

it('a push under lease is left to its process', async () => {
  const stock = await newStock();
  await stock.create();
  await stock.enter(4);
  let answer = () => {};
  replies.set(stock.path, () => ({
    status: 204,
    until: new Promise<void>((resolve) => {
      answer = resolve;
    }),
  }));
  await pushes.look();
  await receiver.expectPushes(1, stock.path);
  await run(others);
  answer();
  await pushes.idle();
  expect(stock.got()).toHaveLength(1);
});

it('a failed push is retried with back-off, with the newest figures, and counts towards disabling', async () => {
  const stock = await newStock();
  const { webhookId } = await stock.create();
  const read = () => stock.must<WebhookData>('GET', `/v2/webhooks/${webhookId}`);
  replies.set(stock.path, () => 500);
  await stock.enter(1);
  await run();
  await stock.enter(1);
  await run();
  expect(stock.totals()).toEqual([1]);
  expect(await stock.cursor()).toMatchObject({ tries: 1 });
  pass(60_000);
  await run();
  expect(stock.totals()).toEqual([1, 2]);
  for (const minutes of [5, 15]) {
    pass(minutes * 60_000);
    await run();
  }
  expect(await read()).toMatchObject({ consecutiveFailures: 1, status: 'enabled' });
  await service.db.sql('update webhook_states set consecutive_failures = 9 where webhook_id = $1', [
    webhookId,
  ]);
  for (const minutes of [15, 1, 5, 15]) {
    pass(minutes * 60_000);
    await run();
  }
  expect(await read()).toMatchObject({ status: 'disabled', disabledReason: 'consecutive_failures' });
  const sent = stock.got().length;
  pass(3_600_000);
  await run();
  expect(stock.got()).toHaveLength(sent);
  // Changes of the meantime are not lost: the row stands for the present stock.
  replies.delete(stock.path);
  await stock.must('POST', `/v2/webhooks/${webhookId}/enable`, {});
  await run();
  expect(stock.totals().at(-1)).toBe(2);
  expect(await read()).toMatchObject({ consecutiveFailures: 0 });
});

it('a webhook that no longer names the type loses its place, one that names it again begins at the end', async () => {
  const stock = await newStock();
  const { webhookId } = await stock.create();
  await stock.must('PATCH', `/v2/webhooks/${webhookId}`, { eventTypes: ['expiry.warning'] });
  expect(await stock.cursor()).toBeUndefined();
  await stock.enter(1);
  await stock.must('PATCH', `/v2/webhooks/${webhookId}`, { eventTypes: ['inventory.changed'] });
  await run();
  expect(stock.got()).toEqual([]);
  await stock.enter(1);
  await stock.must('DELETE', `/v2/webhooks/${webhookId}`);
  await run();
  expect(stock.got()).toEqual([]);
  expect(await stock.cursor()).toBeUndefined();
});

it('needs inventory:read', async () => {
  const { apiKey } = await service.org.newKey({ scopes: ['webhooks:write', 'orders:read'] });
  const body = { callbackUrl: receiver.url('/x'), eventTypes: ['inventory.changed'] };
  expect((await service.call('POST', '/v2/webhooks', body, apiKey)).status).toBe(403);
});

it('expiry is pushed on the day after, without a write', async () => {
  const stock = await newStock();
  const today = service.db.clock.now().toISOString().slice(0, 10);
  await stock.enter(7, { productCode: GTIN, batchNo: 'B1', expiryDate: today });
  await stock.create();
  pass(86_400_000);
  await run(others);
  const [push] = receiver.at(stock.path);
  expect(JSON.parse(push?.body.toString() ?? '{}').data).toMatchObject({
    totalQuantity: 7,
    blockedQuantity: 7,
  });
});
