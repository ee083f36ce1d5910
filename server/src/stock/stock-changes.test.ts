import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestService, stockCatalogue } from '../../test/harness/index.js';
import { transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { adjustStock } from './adjust-stock.js';
import { numberChangesEverywhere } from './number-changes.js';

interface Change {
  productCode: string;
  warehouse: string;
  totalQuantity: number;
  availableQuantity: number;
  reservedQuantity: number;
  blockedQuantity: number;
  changedAt: string;
}
interface Changes {
  items: Change[];
  nextCursor: string;
  hasMore: boolean;
}

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

let made = 0;
/** An organization of its own, so that nothing else is in the feed, with a batch product in WH-1. */
async function newFeed() {
  const org = await newOrganization(service.db);
  await stockCatalogue(service.api, org.key);
  const call = <D = Record<string, string>>(method: string, path: string, body?: object, key = org.key) =>
    service.call<D>(method, path, body, key);
  async function must<D = Record<string, string>>(method: string, path: string, body: object): Promise<D> {
    const answer = await call<D>(method, path, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.data;
  }
  const get = (query: Record<string, string> = {}) =>
    call<Changes>('GET', `/v2/inventory/changes?${new URLSearchParams(query)}`);
  /** Changes since the last call, over all pages. */
  let cursor: string | undefined;
  async function next(): Promise<Change[]> {
    const items: Change[] = [];
    for (;;) {
      const { data, status, text } = await get({ limit: '3', ...(cursor ? { after: cursor } : {}) });
      expect(status, text).toBe(200);
      items.push(...data.items);
      cursor = data.nextCursor;
      if (!data.hasMore) return items;
    }
  }
  const newProduct = async () => {
    const productCode = `CH-${++made}`;
    await must('PUT', `/v2/products/${productCode}`, { productName: 'Valve', tracking: 'batch' });
    return productCode;
  };
  const enter = (productCode: string, quantityDelta: number, more: object = {}) =>
    must('POST', '/v2/stock/adjustments', {
      ...{ productCode, warehouse: 'WH-1', batchNo: 'B1', expiryDate: '2030-01-01', quantityDelta },
      ...{ reason: 'count', ...more },
    });
  return { org, call, must, get, next, newProduct, enter };
}

const figures = ({ totalQuantity, availableQuantity, reservedQuantity, blockedQuantity }: Change) => [
  totalQuantity,
  availableQuantity,
  reservedQuantity,
  blockedQuantity,
];

describe('the feed of stock changes', () => {
  it('begins with all stock, and then has what changed, once, with its figures of now', async () => {
    const { next, newProduct, enter } = await newFeed();
    const [first, second] = [await newProduct(), await newProduct()];
    await enter(first, 10);
    await enter(first, 4, { warehouse: 'WH-2' });
    await enter(second, 7);
    expect((await next()).map((each) => [each.productCode, each.warehouse, ...figures(each)])).toEqual([
      [first, 'WH-1', 10, 10, 0, 0],
      [first, 'WH-2', 4, 4, 0, 0],
      [second, 'WH-1', 7, 7, 0, 0],
    ]);
    expect(await next()).toEqual([]);
    service.db.clock.advance(1_000);
    await enter(first, -1);
    await enter(first, -2);
    expect(await next()).toEqual([
      {
        ...{ productCode: first, warehouse: 'WH-1', totalQuantity: 7, availableQuantity: 7 },
        ...{ reservedQuantity: 0, blockedQuantity: 0, changedAt: service.db.clock.now().toISOString() },
      },
    ]);
    expect(await next()).toEqual([]);
  });

  it('has reservations, holds, releases, transfers, corrections and stock that is used up', async () => {
    const { next, must, newProduct, enter } = await newFeed();
    const productCode = await newProduct();
    await enter(productCode, 10);
    await next();
    const changed = async () => (await next()).map((each) => [each.warehouse, ...figures(each)]);
    const order = await must('POST', '/v2/orders', {
      ...{ orderNo: 'SO-1', customerCode: 'HOSP-1', warehouse: 'WH-1', currency: 'EUR' },
      lines: [{ lineNo: 1, productCode, quantity: 3, unitPrice: '1' }],
    });
    expect(await changed()).toEqual([]);
    await must('POST', `/v2/orders/${order.orderId}/approve`, {});
    expect(await changed()).toEqual([['WH-1', 10, 7, 3, 0]]);
    await must('POST', `/v2/orders/${order.orderId}/cancel`, { reason: 'not needed' });
    expect(await changed()).toEqual([['WH-1', 10, 10, 0, 0]]);
    const hold = { productCode, batchNo: 'B1', reason: 'to be tested' };
    const { holdId } = await must('POST', '/v2/stock/holds', { ...hold, warehouse: 'WH-1', quantity: 4 });
    expect(await changed()).toEqual([['WH-1', 10, 6, 0, 4]]);
    await must('POST', `/v2/stock/holds/${holdId}/release`, { reason: 'fine' });
    expect(await changed()).toEqual([['WH-1', 10, 10, 0, 0]]);
    const transfer = { productCode, batchNo: 'B1', from: 'WH-1', to: 'WH-2', quantity: 10 };
    await must('POST', '/v2/stock/transfers', transfer);
    expect((await changed()).sort()).toEqual([
      ['WH-1', 0, 0, 0, 0],
      ['WH-2', 10, 10, 0, 0],
    ]);
    await must('POST', `/v2/stock/batches/${productCode}/B1/corrections`, {
      ...{ expiryDate: '2026-11-01', reason: 'typing error' },
    });
    expect((await changed()).filter(([, total]) => total !== 0)).toEqual([['WH-2', 10, 0, 0, 10]]);
  });

  it('has stock that expired since it was last read, without anybody writing anything', async () => {
    const { next, newProduct, enter } = await newFeed();
    const productCode = await newProduct();
    await enter(productCode, 5, { expiryDate: '2026-11-16' });
    await enter(productCode, 3, { batchNo: 'B2' });
    await next();
    const today = service.db.clock.now();
    const changed = async () => (await next()).map(figures);
    try {
      service.db.clock.set('2026-11-16T23:00:00.000Z');
      expect(await changed()).toEqual([]);
      service.db.clock.set('2026-11-17T00:00:00.000Z');
      expect(await changed()).toEqual([[8, 3, 0, 5]]);
      expect(await changed()).toEqual([]);
    } finally {
      service.db.clock.set(today.toISOString());
    }
  });

  it('follows the organization into another time zone, where it is another day', async () => {
    const { next, must, newProduct, enter } = await newFeed();
    const productCode = await newProduct();
    // At 10:00 UTC it is already the 16th in the zone to come.
    await enter(productCode, 5, { expiryDate: '2026-11-15' });
    await next();
    await must('PATCH', '/v2/settings', { timeZone: 'Pacific/Kiritimati' });
    const changed = async () => (await next()).map(figures);
    // Credentials learn of it from an announcement.
    await expect.poll(changed).toEqual([[5, 0, 0, 5]]);
    await must('PATCH', '/v2/settings', { timeZone: 'UTC' });
    await expect.poll(changed).toEqual([[5, 5, 0, 0]]);
  });

  it('skips nothing that was committed late: a write that began before another and ended after it', async () => {
    const { org, next, newProduct, enter } = await newFeed();
    const [slow, fast] = [await newProduct(), await newProduct()];
    await enter(slow, 1);
    await next();
    const writer = systemPrincipal(org.organization.orgId, 'slow@test.example');
    const steps = new EventEmitter();
    const written = once(steps, 'written');
    const ended = transact(service.db.database, writer, async (tx) => {
      const goods = { productCode: slow, warehouse: 'WH-1', batchNo: 'B1' };
      await adjustStock(tx, { ...goods, quantityDelta: 1, reason: 'count' });
      const committing = once(steps, 'commit');
      steps.emit('written');
      await committing;
    });
    await written;
    await enter(fast, 2);
    expect((await next()).map((each) => each.productCode)).toEqual([fast]);
    steps.emit('commit');
    await ended;
    expect((await next()).map((each) => each.productCode)).toEqual([slow]);
  });

  it('has only one warehouse if asked for one, and its cursor moves beyond the others', async () => {
    const { get, newProduct, enter } = await newFeed();
    const productCode = await newProduct();
    for (const warehouse of ['WH-1', 'WH-2']) await enter(productCode, 2, { warehouse });
    const { data } = await get({ warehouse: 'WH-2' });
    expect(data.items.map((each) => each.warehouse)).toEqual(['WH-2']);
    await enter(productCode, 1);
    const { data: later } = await get({ warehouse: 'WH-2', after: data.nextCursor });
    expect(later.items).toEqual([]);
    expect(later.nextCursor).not.toBe(data.nextCursor);
    expect((await get({ after: later.nextCursor })).data.items).toEqual([]);
  });

  it('refuses cursors that are none, and one ahead of the feed, as after a restore', async () => {
    const { get, enter, newProduct, org } = await newFeed();
    await enter(await newProduct(), 1);
    const { data } = await get();
    for (const after of ['x', 'a'.repeat(1025)]) expect((await get({ after })).status).toBe(400);
    await service.db.sql('update stock_change_heads set position = 0 where org_id = $1', [
      org.organization.orgId,
    ]);
    const ahead = await get({ after: data.nextCursor });
    expect([ahead.status, ahead.reason]).toEqual([400, 'cursor_ahead']);
    expect((await get({ warehouse: 'NOWHERE' })).status).toBe(404);
    for (const query of [{ limit: '0' }, { limit: '201' }, { productCode: 'X' }])
      expect((await get(query as never)).status).toBe(400);
  });

  it('has nothing of another organization', async () => {
    const [ours, theirs] = [await newFeed(), await newFeed()];
    await theirs.enter(await theirs.newProduct(), 1);
    const productCode = await ours.newProduct();
    await ours.enter(productCode, 1);
    expect((await ours.next()).map((each) => each.productCode)).toEqual([productCode]);
  });

  it('is numbered by workers where nobody reads it, once there are many marks', async () => {
    const { org, next, newProduct, enter } = await newFeed();
    const productCode = await newProduct();
    await enter(productCode, 1);
    const { orgId } = org.organization;
    const marks = async () =>
      (await service.db.sql('select 1 from stock_change_marks where org_id = $1', [orgId])).length;
    await numberChangesEverywhere(service.db.database);
    expect(await marks()).toBe(1);
    await service.db.sql(
      `insert into stock_change_marks (org_id, product_code, warehouse, marked_at, expiry_date, total_delta, reserved_delta, held_delta,
         batches_delta, products_delta)
       select $1, $2, 'WH-1', now(), 'infinity', 0, 0, 0, 0, 0 from generate_series(1, 6000)`,
      [orgId, productCode],
    );
    await numberChangesEverywhere(service.db.database);
    expect(await marks()).toBe(0);
    expect((await next()).map(figures)).toEqual([[1, 1, 0, 0]]);
  });
});
