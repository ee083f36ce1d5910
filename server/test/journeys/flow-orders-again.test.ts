import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OrderView, openFlow, type World } from './flow-world.js';

/** Orders that are sent again, and orders that must reserve again. */

let world: World;
beforeAll(async () => {
  world = await openFlow();
});
afterAll(() => world.close());

/** The entries of one action in the audit trail of an order. */
const auditOf = async (orderId: string, action: string) => {
  const { items } = await world.must<{ items: { action: string; before: object; after: object }[] }>(
    'GET',
    `/v2/audit?entityType=order&entityId=${orderId}`,
  );
  return items.filter((entry) => entry.action === action);
};

describe('an order sent again', () => {
  it('with the same content and a later version keeps that version, and the audit trail shows it', async () => {
    const body = world.orderBody({});
    const { orderId } = await world.post<OrderView>('/v2/orders', { ...body, sourceVersion: 5 });
    await world.post('/v2/orders', { ...body, sourceVersion: 5 });
    expect(await auditOf(orderId, 'order.note_version')).toEqual([]);
    await world.post('/v2/orders', { ...body, sourceVersion: 7 });
    expect((await world.readOrder(orderId)).sourceVersion).toBe(7);
    expect(await auditOf(orderId, 'order.note_version')).toMatchObject([
      { before: { sourceVersion: 5 }, after: { sourceVersion: 7 } },
    ]);
  });

  it('as a cancellation keeps its version too', async () => {
    const body = world.orderBody({});
    const { orderId } = await world.post<OrderView>('/v2/orders', { ...body, sourceVersion: 1 });
    await world.post('/v2/orders', { ...body, sourceVersion: 3, cancel: true });
    expect(await world.readOrder(orderId)).toMatchObject({ status: 'cancelled', sourceVersion: 3 });
  });
});

describe('a partially dispatched order', () => {
  it('that loses what is reserved for the rest is short until it reserves again', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, batchNo: 'B1', expiryDate: '2029-01-01' });
    const { orderId } = await world.approved({ productCode, quantity: 10 });
    await world.ship(orderId, { lineNo: 1, quantity: 4 });
    await world.post('/v2/stock/holds', { productCode, batchNo: 'B1', reason: 'damp' });
    expect(await world.readOrder(orderId)).toMatchObject({ status: 'partially_dispatched', shortage: true });
    await world.receive({ productCode, batchNo: 'B2', quantity: 5 });
    expect(await world.refused('POST', `/v2/orders/${orderId}/reserve`)).toBe('insufficient_stock');
    expect(await world.reservedOf(orderId)).toEqual([]);
    await world.receive({ productCode, batchNo: 'B2', quantity: 1 });
    const { version } = await world.readOrder(orderId);
    expect(await world.act(orderId, 'reserve')).toMatchObject({
      status: 'partially_dispatched',
      shortage: false,
      version: version + 1,
    });
    expect(await world.reservedOf(orderId)).toEqual([['B2', 6]]);
    expect(await auditOf(orderId, 'order.reserve')).toHaveLength(1);
  });

  it('that is closed frees what is reserved for the rest', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode });
    const { orderId } = await world.approved({ productCode, quantity: 10 });
    await world.ship(orderId, { lineNo: 1, quantity: 4 });
    expect(await world.stock(productCode)).toEqual([6, 0, 6, 0]);
    await world.act(orderId, 'close', { reason: 'no longer needed' });
    expect(await world.stock(productCode)).toEqual([6, 6, 0, 0]);
  });
});
