import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exceptionsIn } from './flow-invariants.js';
import { openFlow, type World } from './flow-world.js';

let world: World;
beforeAll(async () => {
  world = await openFlow();
});
afterAll(async () => {
  expect(await exceptionsIn(world.db, world.org.organization.orgId)).toEqual({});
  await world.close();
});

const hold = (productCode: string, batchNo: string, quantity: number) =>
  world.post<{ holdId: string }>('/v2/stock/holds', {
    productCode,
    batchNo,
    warehouse: 'WH-1',
    quantity,
    reason: 'damp',
  });
const isShort = async (orderId: string) => (await world.readOrder(orderId)).shortage;
const later = () => world.db.clock.advance(1_000);

describe('a hold takes reserved stock from the order that came last', () => {
  it('an order that reserves again what it had lost keeps its place', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, batchNo: 'B1' });
    const first = await world.approved({ productCode, quantity: 5 });
    const { holdId } = await hold(productCode, 'B1', 7);
    expect(await world.reservedOf(first.orderId)).toEqual([['B1', 3]]);
    await world.post(`/v2/stock/holds/${holdId}/release`, { reason: 'dry' });
    later();
    const second = await world.approved({ productCode, quantity: 5 });
    later();
    await world.act(first.orderId, 'reserve');
    later();
    await hold(productCode, 'B1', 3);
    expect([await isShort(first.orderId), await isShort(second.orderId)]).toEqual([false, true]);
  });

  it('an order of which another batch is picked keeps its place', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, batchNo: 'SOON', expiryDate: '2027-01-01' });
    await world.receive({ productCode, batchNo: 'LATE', expiryDate: '2030-01-01' });
    const first = await world.approved({ productCode, quantity: 5 });
    expect(await world.reservedOf(first.orderId)).toEqual([['SOON', 5]]);
    later();
    const second = await world.approved({ productCode, quantity: 5, batchNo: 'LATE' });
    later();
    const { dispatchId } = await world.open(first.orderId);
    await world.pick(dispatchId, { batchNo: 'LATE', quantity: 5, reason: 'SOON cannot be reached' });
    await hold(productCode, 'LATE', 3);
    expect([await isShort(first.orderId), await isShort(second.orderId)]).toEqual([false, true]);
  });
});

it('a reservation stands through the last day on which its batch is usable', async () => {
  const productCode = await world.newProduct();
  await world.receive({ productCode, batchNo: 'TODAY', expiryDate: '2026-11-15' });
  const { orderId } = await world.approved({ productCode, quantity: 4 });
  // A change of the product's stock drops what has expired.
  const change = { productCode, warehouse: 'WH-1', batchNo: 'TODAY', quantityDelta: -1, reason: 'broken' };
  await world.post('/v2/stock/adjustments', change);
  expect(await world.reservedOf(orderId)).toEqual([['TODAY', 4]]);
  expect(await world.stock(productCode)).toEqual([9, 5, 4, 0]);
});
