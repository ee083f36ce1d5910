import { createClient, LotwardError, NoAnswer, verifyWebhook } from '@lotward/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient as registerClient, revokeClient } from '../../src/credentials/index.js';
import { transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { deliverUntil, toLoopback } from '../access/pushes.js';
import { GTIN, openReceiver, openTestService } from '../harness/index.js';
import { type Front, openFront } from './flaky-front.js';

let service: Awaited<ReturnType<typeof openTestService>>;
let front: Front;
beforeAll(async () => {
  service = await openTestService({ alone: true, webhooks: toLoopback });
  front = await openFront(service.api.url);
});
afterAll(async () => {
  await front.close();
  await service.close();
});

const waits: { status: number | null; waitMs: number }[] = [];
/** Through the front, and in no hurry that would fail a busy machine. */
const open = (part: object = {}) =>
  createClient({
    baseUrl: front.url,
    apiKey: service.org.key,
    onRetry: (problem, _attempt, waitMs) =>
      waits.push({ status: problem instanceof LotwardError ? problem.status : null, waitMs }),
    ...part,
  });
const adjustment = (quantityDelta: number) => ({
  productCode: GTIN,
  warehouse: 'WH-1',
  batchNo: 'LOT-1',
  expiryDate: '2030-01-01',
  quantityDelta,
  reason: 'opening stock',
});
const available = async () => {
  const record = await open().get('/v2/inventory', { query: { productCode: GTIN, warehouse: 'WH-1' } });
  return 'availableQuantity' in record ? record.availableQuantity : Number.NaN;
};

describe('a call', () => {
  it('returns the data alone', async () => {
    const product = await open().get('/v2/products/{id}', { path: { id: GTIN } });
    expect(product.productName).toBe('Coronary stent 3.0×18');
    const changed = await open().put('/v2/partners/{code}', {
      path: { code: 'A/B 1' },
      body: { name: 'With a slash', roles: ['customer'] },
    });
    expect(changed.code).toBe('A/B 1');
  });

  it('repeats a parameter that has several values', async () => {
    const query = { productCode: [GTIN, 'A+B', 'GLOVE-1'], warehouse: 'WH-1' };
    const { items, unknown } = await open().get('/v2/inventory', { query });
    expect([items?.map(({ productCode }) => productCode), unknown]).toEqual([[GTIN, 'GLOVE-1'], ['A+B']]);
  });

  it('that is refused throws an error with every reason and the request id', async () => {
    const lotward = open();
    const refused = await lotward
      .post('/v2/stock/adjustments', { body: { ...adjustment(-1), batchNo: 'NONE' } })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(LotwardError);
    const error = refused as LotwardError;
    expect([error.status, error.code, error.has(error.reason ?? '')]).toEqual([400, 1001, true]);
    expect(error.requestId).toMatch(/^req_/);
    await expect(open({ apiKey: 'lw_wrong' }).get('/v2/whoami')).rejects.toMatchObject({
      status: 401,
      reason: 'credential_invalid',
    });
  });

  it('requires all parameters of its path', async () => {
    await expect(open().get('/v2/products/{id}', { path: { id: '' } })).rejects.toThrow(TypeError);
  });
});

describe('when the network or the service fails for a moment', () => {
  it('a write takes effect once, whether its request or its response was lost', async () => {
    await open().post('/v2/stock/adjustments', { body: adjustment(5) });
    const before = await available();
    front.seen.length = 0;
    front.fates.push('lose request', 'lose answer');
    await open().post('/v2/stock/adjustments', { body: adjustment(7) });
    expect(await available()).toBe(before + 7);
    const posts = front.seen.filter(({ method }) => method === 'POST');
    expect(posts.length).toBe(3);
    expect(new Set(posts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  it('a patch with a version takes effect once though its response was lost, and not over a later change', async () => {
    const path = { id: GTIN };
    const { version } = await open().get('/v2/products/{id}', { path });
    front.fates.push('lose answer');
    const changed = await open().patch('/v2/products/{id}', {
      path,
      ifMatch: version,
      body: { model: 'M-9' },
    });
    expect([changed.model, changed.version]).toEqual(['M-9', version + 1]);
    const late = open().patch('/v2/products/{id}', { path, ifMatch: version, body: { model: null } });
    await expect(late).rejects.toMatchObject({ reason: 'version_mismatch' });
    await open().put('/v2/partners/{code}', {
      path: { code: 'SUP-1' },
      ifMatch: '"1"',
      body: { name: 'Acme', roles: ['supplier'] },
    });
  });

  it('waits as long as Retry-After says, and stops after its last attempt', async () => {
    waits.length = 0;
    front.fates.push({ status: 429, retryAfter: '1' }, { status: 500 }, { status: 503 });
    expect(await open().get('/v2/whoami')).toMatchObject({ actor: expect.any(String) });
    expect(waits.map(({ status }) => status)).toEqual([429, 500, 503]);
    expect(waits[0]?.waitMs).toBeGreaterThanOrEqual(1_000);
    expect(waits[1]?.waitMs).toBeLessThan(1_000);
    front.fates.push(...Array.from({ length: 3 }, () => ({ status: 500, retryAfter: '0' })));
    await expect(open({ retries: 1 }).get('/v2/whoami')).rejects.toMatchObject({ status: 500 });
    front.fates.length = 0;
  });

  it('reports that no response came, and stops at once when aborted', async () => {
    front.fates.push('lose request');
    await expect(open({ retries: 0 }).get('/v2/whoami')).rejects.toBeInstanceOf(NoAnswer);
    const stop = new AbortController();
    front.fates.push({ status: 429, retryAfter: '60' });
    const waiting = open({ onRetry: () => stop.abort(new Error('enough')) }).get('/v2/whoami', {
      signal: stop.signal,
    });
    await expect(waiting).rejects.toThrow('enough');
  });
});

describe('lists', () => {
  it('return every item once, across pages', async () => {
    const lotward = open();
    const codes = Array.from({ length: 7 }, (_, i) => `LIST-${i}`);
    for (const code of codes)
      await lotward.put('/v2/products/{id}', { path: { id: code }, body: { productName: 'Listed' } });
    const found: string[] = [];
    for await (const product of lotward.each('/v2/products', { query: { name: 'listed', limit: 3 } }))
      found.push(product.productCode);
    expect(found).toEqual(codes);
  });

  it('of events go on from a cursor and end when they have caught up', async () => {
    const lotward = open();
    const order = (orderNo: string) => ({
      orderNo,
      customerCode: 'HOSP-1',
      warehouse: 'WH-1',
      currency: 'EUR',
      lines: [{ lineNo: 1, productCode: GTIN, quantity: 1, unitPrice: '1.00' }],
    });
    const reject = async (orderNo: string) => {
      const { orderId } = await lotward.post('/v2/orders', { body: order(orderNo) });
      await lotward.post('/v2/orders/{orderId}/reject', { path: { orderId }, body: { reason: 'no' } });
      // Events of different orders in the same millisecond have no order of their own.
      service.db.clock.advance(1);
      return orderId;
    };
    const read = async (after?: string) => {
      const orders: string[] = [];
      let cursor = after;
      const type = 'order.status_changed' as const;
      for await (const page of lotward.eventPages({
        eventType: type,
        limit: 1,
        ...(after ? { after } : {}),
      })) {
        for (const event of page.events) if (event.eventType === type) orders.push(event.data.orderId);
        cursor = page.cursor;
      }
      return { orders, cursor };
    };
    const first = [await reject('SO-1'), await reject('SO-2')];
    const begun = await read();
    expect(begun.orders).toEqual(first);
    expect((await read(begun.cursor)).orders).toEqual([]);
    const since = service.db.clock.now().toISOString();
    const third = await reject('SO-3');
    expect((await read(begun.cursor)).orders).toEqual([third]);
    const fourth = await reject('SO-4');
    const later: string[] = [];
    const eventType = ['order.status_changed', 'expiry.warning'] as const;
    for await (const { events } of lotward.eventPages({ since, eventType, limit: 1 }))
      for (const event of events)
        if (event.eventType === 'order.status_changed') later.push(event.data.orderId);
    expect(later).toEqual([third, fourth]);
  });
});

describe('with an OAuth client', () => {
  const principal = () => systemPrincipal(service.org.organization.orgId, 'operator@test.example');
  const register = () =>
    transact(service.db.database, principal(), (tx) =>
      registerClient(tx, { name: 'ERP', scopes: ['products:read'], owner: 'owner@test.example' }),
    );

  it('one token serves many calls, and a new one is fetched when it was ended', async () => {
    const { clientId, clientSecret } = await register();
    const lotward = createClient({ baseUrl: front.url, clientId, clientSecret });
    front.seen.length = 0;
    await Promise.all([1, 2, 3].map(() => lotward.get('/v2/products')));
    const tokens = () => front.seen.filter(({ path }) => path === '/oauth/token').length;
    expect(tokens()).toBe(1);
    front.fates.push({ status: 401 });
    await lotward.get('/v2/products');
    expect(tokens()).toBe(2);
  });

  it('reports why it got no token', async () => {
    const { clientId, clientSecret } = await register();
    await transact(service.db.database, principal(), (tx) => revokeClient(tx, clientId));
    const lotward = createClient({ baseUrl: front.url, clientId, clientSecret, retries: 0 });
    await expect(lotward.get('/v2/products')).rejects.toMatchObject({
      status: 401,
      reason: 'invalid_client',
    });
  });
});

it('a real push is verified, and is an event of a known type', async () => {
  const receiver = await openReceiver();
  const lotward = open();
  const body = { callbackUrl: receiver.url('/hooks'), eventTypes: ['order.status_changed' as const] };
  const { secret } = await lotward.post('/v2/webhooks', { body });
  const { orderId } = await lotward.post('/v2/orders', {
    body: {
      orderNo: 'SO-PUSHED',
      customerCode: 'HOSP-1',
      warehouse: 'WH-1',
      currency: 'EUR',
      lines: [{ lineNo: 1, productCode: GTIN, quantity: 1, unitPrice: '1.00' }],
    },
  });
  await lotward.post('/v2/orders/{orderId}/reject', { path: { orderId }, body: { reason: 'no' } });
  await deliverUntil(service.db, async () => receiver.received.length > 0);
  const [push] = receiver.received;
  const event = await verifyWebhook(push?.headers ?? {}, push?.body ?? '', secret ?? '', {
    now: service.db.clock.now().getTime(),
  });
  expect(event.eventType === 'order.status_changed' && event.data.orderId).toBe(orderId);
  await receiver.close();
});
