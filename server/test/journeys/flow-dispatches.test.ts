import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateOrganization } from '../../src/organizations/index.js';
import { GTIN, newOrganization, stockCatalogue } from '../harness/index.js';
import { exceptionsIn } from './flow-invariants.js';
import { openFlow, type Pick, type World } from './flow-world.js';

let world: World;
beforeAll(async () => {
  world = await openFlow();
});
afterAll(async () => {
  expect(await exceptionsIn(world.db, world.org.organization.orgId)).toEqual({});
  await world.close();
});

/** A product with two batches of ten: SOON expires before LATE. */
async function stocked(input: object = {}): Promise<string> {
  const productCode = await world.newProduct(input);
  await world.receive({ productCode, batchNo: 'LATE', expiryDate: '2030-01-01' });
  await world.receive({ productCode, batchNo: 'SOON', expiryDate: '2027-01-01' });
  return productCode;
}
const hold = (productCode: string, more: object = {}) =>
  world.post<{ holdId: string }>('/v2/stock/holds', { productCode, batchNo: 'SOON', reason: 'x', ...more });
const refusedPick = (dispatchId: string, ...picks: Pick[]) =>
  world.refused('POST', `/v2/dispatches/${dispatchId}/picks`, { picks: world.withLine(picks) });
const refusedPass = (dispatchId: string) =>
  world.refused('POST', `/v2/dispatches/${dispatchId}/recheck`, { result: 'pass' }, world.second);
const lowStock = async (productCode: string) =>
  (await world.newEvents())
    .filter((each) => each.eventType === 'inventory.low_stock' && each.data.productCode === productCode)
    .map((each) => each.data.availableQuantity);

describe('reservations', () => {
  it('earliest expiry first, a named batch only, a minimum shelf life, never held or expired stock', async () => {
    const productCode = await stocked();
    await world.receive({ productCode, batchNo: 'TODAY', expiryDate: '2026-11-15', quantity: 1 });
    const adjust = { productCode, warehouse: 'WH-1', quantityDelta: 5, reason: 'found' };
    await world.post('/v2/stock/adjustments', { ...adjust, batchNo: 'OLD', expiryDate: '2026-11-14' });
    await world.receive({ productCode, batchNo: 'HELD', expiryDate: '2026-12-01', quantity: 5 });
    await hold(productCode, { batchNo: 'HELD' });
    const first = await world.approved({ productCode, quantity: 3 });
    expect(first.lines[0]?.reserved.map((each) => [each.batchNo, each.quantity])).toEqual([
      ['TODAY', 1],
      ['SOON', 2],
    ]);
    const named = await world.approved({ productCode, quantity: 4, batchNo: 'LATE' });
    expect(await world.reservedOf(named.orderId)).toEqual([['LATE', 4]]);
    const fresh = await world.approved({ productCode, quantity: 2, minRemainingShelfLifeDays: 100 });
    expect(await world.reservedOf(fresh.orderId)).toEqual([['LATE', 2]]);
    const edge = await world.approved({ productCode, quantity: 1, minRemainingShelfLifeDays: 47 });
    expect(await world.reservedOf(edge.orderId)).toEqual([['SOON', 1]]);
    const { orderId } = await world.newOrder({ productCode, quantity: 12 });
    expect(await world.refused('POST', `/v2/orders/${orderId}/approve`)).toBe('insufficient_stock');
    expect(await world.reservedOf(orderId)).toEqual([]);
  });

  it('a hold of reserved stock takes the reservation of the latest order, and /reserve restores it', async () => {
    const productCode = await stocked();
    const first = await world.approved({ productCode, quantity: 5 });
    world.db.clock.advance(1_000);
    const second = await world.approved({ productCode, quantity: 5 });
    world.db.clock.advance(1_000);
    // Opening a dispatch does not make the first order a latecomer.
    await world.open(first.orderId);
    await hold(productCode, { warehouse: 'WH-1', quantity: 3 });
    expect(await world.stock(productCode)).toEqual([20, 10, 7, 3]);
    expect((await world.readOrder(first.orderId)).shortage).toBe(false);
    expect((await world.readOrder(second.orderId)).shortage).toBe(true);
    expect(await world.refused('POST', '/v2/dispatches', { orderId: second.orderId })).toBe('not_reserved');
    expect((await world.act(second.orderId, 'reserve')).shortage).toBe(false);
    expect(await world.reservedOf(second.orderId)).toEqual([
      ['SOON', 2],
      ['LATE', 3],
    ]);
    expect(await world.refused('POST', `/v2/orders/${second.orderId}/reserve`)).toBe('no_shortage');
  });

  it('stock reserved again beside an open dispatch is never reserved twice for its line', async () => {
    const productCode = await stocked();
    const { orderId } = await world.approved({ productCode, quantity: 5 });
    const { dispatchId } = await world.open(orderId);
    await hold(productCode);
    await world.act(orderId, 'reserve');
    expect(await world.stock(productCode)).toEqual([20, 5, 5, 10]);
    await world.pick(dispatchId, { batchNo: 'LATE', quantity: 5, reason: 'SOON is on hold' });
    expect(await world.stock(productCode)).toEqual([20, 5, 5, 10]);
    await world.pass(dispatchId);
    expect(await world.stock(productCode)).toEqual([15, 5, 0, 10]);
  });

  it('expires at midnight where the organization is, without a write', async () => {
    const before = world.db.clock.now().toISOString();
    const org = await newOrganization(world.db, { timeZone: 'Asia/Shanghai' });
    await stockCatalogue(world.api, org.key);
    const post = <D>(path: string, body: object) => world.post<D>(path, body, org.key);
    const lines = [{ lineNo: 1, productCode: GTIN, batchNo: 'B1', expiryDate: '2026-11-15', quantity: 4 }];
    const entry = { receiptNo: 'R', supplierCode: 'SUP-1', warehouse: 'WH-1', lines };
    const { receiptId } = await post<{ receiptId: string }>('/v2/receipts', entry);
    await post(`/v2/receipts/${receiptId}/acceptance`, {
      lines: [{ lineNo: 1, acceptedQuantity: 4, rejectedQuantity: 0 }],
    });
    const { orderId } = await post<{ orderId: string }>('/v2/orders', world.orderBody({ quantity: 3 }));
    await post(`/v2/orders/${orderId}/approve`, {});
    const look = async () => {
      const stock = await world.call<Record<string, number>>(
        'GET',
        `/v2/inventory?productCode=${GTIN}&warehouse=WH-1`,
        undefined,
        org.key,
      );
      const order = await world.call<{ shortage: boolean }>(
        'GET',
        `/v2/orders/${orderId}`,
        undefined,
        org.key,
      );
      return [stock.data.reservedQuantity, stock.data.blockedQuantity, order.data.shortage];
    };
    world.db.clock.set('2026-11-15T15:59:59.999Z');
    expect(await look()).toEqual([3, 0, false]);
    world.db.clock.set('2026-11-15T16:00:00.000Z');
    expect(await look()).toEqual([0, 4, true]);
    world.db.clock.set(before);
  });
});

describe('dispatching', () => {
  it('in parts, closing the rest: dispatched, and delivered with the last delivery', async () => {
    const productCode = await stocked();
    const { orderId } = await world.approved({ productCode, quantity: 9 });
    const one = await world.ship(orderId, { lineNo: 1, quantity: 2 });
    const two = await world.ship(orderId, { lineNo: 1, quantity: 3 });
    await world.deliver(one.dispatchId);
    const { orderNo, status } = await world.readOrder(orderId);
    expect(status).toBe('partially_dispatched');
    // Each has a number of its own, which people can read out.
    expect([one.dispatchNo, two.dispatchNo]).toEqual([`${orderNo}-1`, `${orderNo}-2`]);
    const closed = await world.act(orderId, 'close', { reason: 'enough' });
    expect([closed.status, closed.lines[0]?.closedQuantity]).toEqual(['dispatched', 4]);
    expect(await world.stock(productCode)).toEqual([15, 15, 0, 0]);
    await world.deliver(two.dispatchId);
    expect((await world.readOrder(orderId)).status).toBe('delivered');
    const other = await world.approved({ productCode, quantity: 2 });
    const all = await world.ship(other.orderId, { lineNo: 1, quantity: 1 });
    await world.deliver(all.dispatchId);
    await world.newEvents();
    expect((await world.act(other.orderId, 'close', { reason: 'enough' })).status).toBe('delivered');
    const moves = (await world.newEvents()).map(({ data }) => [data.previousStatus, data.currentStatus]);
    expect(moves).toEqual([
      ['partially_dispatched', 'dispatched'],
      ['dispatched', 'delivered'],
    ]);
  });

  it('is refused for each reason it can have', async () => {
    const productCode = await stocked();
    const { orderId } = await world.approved({ productCode, quantity: 6 });
    const create = (lines?: object[]) => world.refused('POST', '/v2/dispatches', { orderId, lines });
    expect(await create([{ lineNo: 2, quantity: 1 }])).toBe('unknown_line');
    expect(await create([{ lineNo: 1, quantity: 7 }])).toBe('more_than_left');
    expect(await world.refused('POST', '/v2/dispatches', { orderId: 'ord_none' })).toBe('unknown_reference');
    const { dispatchId } = await world.open(orderId);
    expect(await create()).toBe('nothing_left');
    expect(await world.refused('POST', `/v2/orders/${orderId}/cancel`)).toBe('open_dispatch');
    const pick = (...picks: Pick[]) => refusedPick(dispatchId, ...picks);
    expect(await pick({ lineNo: 2, quantity: 1 })).toBe('unknown_line');
    const one = { batchNo: 'SOON', quantity: 1 };
    expect(await pick(one, one)).toBe('duplicate_pick');
    expect(await pick({ batchNo: 'SOON', quantity: 7, reason: 'x' })).toBe('too_many_picked');
    expect(await pick({ batchNo: 'LATE', quantity: 1 })).toBe('reason_required');
    expect(await pick({ batchNo: 'NOPE', quantity: 1, reason: 'x' })).toBe('insufficient_stock');
    expect(await pick({ ...one, serials: ['S'] })).toBe('serials_mismatch');
    await world.pick(dispatchId, { batchNo: 'SOON', quantity: 6 });
    const fail = { result: 'fail' };
    const path = `/v2/dispatches/${dispatchId}`;
    expect(await world.refused('POST', `${path}/recheck`, fail, world.second)).toBe('required');
    await world.pass(dispatchId);
    const early = { receivedBy: 'x', receivedAt: '2027-01-01T00:00:00Z' };
    expect(await world.refused('POST', `${path}/delivery`, early)).toBe('in_the_future');
  });

  it('another batch picked with a reason is reserved instead, and the reserved one is free', async () => {
    const productCode = await stocked();
    const { orderId } = await world.approved({ productCode, quantity: 6 });
    const { dispatchId } = await world.open(orderId);
    await world.pick(dispatchId, { batchNo: 'LATE', quantity: 2, reason: 'box is open' });
    expect(await world.reservedOf(orderId)).toEqual([
      ['SOON', 4],
      ['LATE', 2],
    ]);
    await world.on(dispatchId, 'cancel');
    expect(await world.stock(productCode)).toEqual([20, 14, 6, 0]);
    expect((await world.readOrder(orderId)).shortage).toBe(false);
  });

  it('what was blocked after picking is refused at re-check, and picked anew it leaves', async () => {
    const productCode = await stocked();
    const { orderId } = await world.approved({ productCode, quantity: 6 });
    const { dispatchId } = await world.open(orderId);
    await world.pick(dispatchId, { batchNo: 'SOON', quantity: 6 });
    await hold(productCode);
    expect(await refusedPass(dispatchId)).toBe('stock_blocked');
    await world.on(dispatchId, 'recheck', { result: 'fail', reason: 'blocked' }, world.second);
    await world.pick(dispatchId, { batchNo: 'LATE', quantity: 6, reason: 'SOON is on hold' });
    expect((await world.pass(dispatchId)).status).toBe('dispatched');
    expect(await world.stock(productCode)).toEqual([14, 4, 0, 10]);
  });

  it('of serial-tracked lines every serialized unit is named, is there, is free, and is picked once', async () => {
    const productCode = await world.newProduct({ tracking: 'serial' });
    const serials = ['A', 'B', 'C', 'D', 'E'];
    await world.receive({ productCode, quantity: 5, serials });
    const { orderId } = await world.approved({ productCode, quantity: 1 }, { productCode, quantity: 1 });
    const { dispatchId } = await world.open(orderId);
    const unit = (lineNo: number, serial: string) => ({
      lineNo,
      batchNo: 'B1',
      quantity: 1,
      serials: [serial],
    });
    expect(await refusedPick(dispatchId, { batchNo: 'B1', quantity: 1 })).toBe('serials_mismatch');
    expect(await refusedPick(dispatchId, unit(1, 'Z'))).toBe('serial_not_in_stock');
    expect(await refusedPick(dispatchId, unit(1, 'A'), unit(2, 'A'))).toBe('serials_mismatch');
    await hold(productCode, { batchNo: 'B1', serials: ['E'] });
    expect(await refusedPick(dispatchId, unit(1, 'E'))).toBe('stock_blocked');
    await world.pick(dispatchId, unit(1, 'A'), unit(2, 'B'));
    const { holdId } = await hold(productCode, { batchNo: 'B1', serials: ['A'] });
    expect(await refusedPass(dispatchId)).toBe('stock_blocked');
    await world.post(`/v2/stock/holds/${holdId}/release`, { reason: 'good' });
    await world.pass(dispatchId);
    expect(await world.stock(productCode)).toEqual([3, 2, 0, 1]);
  });

  it('the same person re-checks only where the organization allows it', async () => {
    const productCode = await stocked();
    const { orderId } = await world.approved({ productCode, quantity: 2 });
    const { dispatchId } = await world.open(orderId);
    await world.pick(dispatchId, { batchNo: 'SOON', quantity: 2 });
    const path = `/v2/dispatches/${dispatchId}/recheck`;
    expect(await world.refused('POST', path, { result: 'pass' })).toBe('same_person');
    const { orgId } = world.org.organization;
    const allow = (samePersonRecheck: boolean) =>
      updateOrganization(world.db.database, 'operator@test.example', orgId, { samePersonRecheck });
    await allow(true);
    expect((await world.on(dispatchId, 'recheck', { result: 'pass' })).status).toBe('dispatched');
    await allow(false);
  });

  it('every action from every state is a move or names the state', async () => {
    const productCode = await stocked();
    const allowed: Record<string, string[]> = {
      picking: ['picks', 'cancel'],
      rechecking: ['recheck', 'cancel'],
      dispatched: ['delivery'],
      delivered: [],
      cancelled: [],
    };
    const bodies: Record<string, object> = {
      picks: { picks: [] },
      recheck: { result: 'fail', reason: 'x' },
      delivery: { receivedBy: 'x', receivedAt: '2026-11-15T10:00:00Z' },
      cancel: {},
    };
    for (const [status, moves] of Object.entries(allowed)) {
      for (const [action, body] of Object.entries(bodies)) {
        const { orderId } = await world.approved({ productCode, quantity: 1 });
        const { dispatchId, lines } = await world.open(orderId);
        const reserved = lines[0]?.toPick[0] ?? { batchNo: '', quantity: 0 };
        if (status === 'cancelled') await world.on(dispatchId, 'cancel');
        else if (status !== 'picking') await world.pick(dispatchId, reserved);
        if (status === 'dispatched' || status === 'delivered') await world.pass(dispatchId);
        if (status === 'delivered') await world.deliver(dispatchId);
        const path = `/v2/dispatches/${dispatchId}/${action}`;
        const answer = await world.call('POST', path, body, world.second);
        const expected = moves.includes(action) ? 'ok' : 'transition_not_allowed';
        expect([status, action, answer.reason ?? 'ok']).toEqual([status, action, expected]);
        if (expected !== 'ok') expect(answer.json.errors[0]?.message).toContain(` is ${status}`);
        if (['picking', 'rechecking'].includes(status) && action !== 'cancel')
          await world.on(dispatchId, 'cancel');
        if (['approved'].includes((await world.readOrder(orderId)).status))
          await world.act(orderId, 'cancel');
      }
    }
  });
});

describe('low stock', () => {
  const falls: [string, (productCode: string) => Promise<unknown>, number][] = [
    ['a reservation', (productCode) => world.approved({ productCode, quantity: 6 }), 14],
    ['a hold', (productCode) => hold(productCode), 10],
    [
      'an adjustment',
      (productCode) =>
        world.post('/v2/stock/adjustments', {
          productCode,
          warehouse: 'WH-1',
          batchNo: 'SOON',
          quantityDelta: -6,
          reason: 'broken',
        }),
      14,
    ],
    [
      'a raised line',
      (productCode) =>
        world.must('PUT', `/v2/products/${productCode}`, { productName: 'x', safetyStock: 21 }),
      20,
    ],
  ];
  it.each(falls)('%s that leaves too little is notified once that day', async (_, fall, left) => {
    const productCode = await stocked({ safetyStock: 15 });
    await world.newEvents();
    await fall(productCode);
    expect(await lowStock(productCode)).toEqual([left]);
    await hold(productCode, { batchNo: 'LATE', warehouse: 'WH-1', quantity: 1 });
    expect(await lowStock(productCode)).toEqual([]);
  });

  it('a dispatch on a later day notifies again; enough stock never does', async () => {
    const before = world.db.clock.now().toISOString();
    const productCode = await stocked({ safetyStock: 15 });
    const { orderId } = await world.approved({ productCode, quantity: 5 });
    expect(await lowStock(productCode)).toEqual([]);
    await world.approved({ productCode, quantity: 1 });
    expect(await lowStock(productCode)).toEqual([14]);
    world.db.clock.advance(86_400_000);
    await world.ship(orderId);
    expect(await lowStock(productCode)).toEqual([14]);
    world.db.clock.set(before);
  });
});

describe('a credential bound to one customer', () => {
  it('sees and synchronises only what is its own', async () => {
    await world.must('PUT', '/v2/partners/HOSP-2', { name: 'Other hospital', roles: ['customer'] });
    const bound = (await world.org.newKey({ customerCode: 'HOSP-2' })).apiKey;
    const productCode = await stocked();
    const foreign = await world.approved({ productCode, quantity: 1 });
    const shipped = await world.ship(foreign.orderId);
    const body = { ...world.orderBody({ productCode, quantity: 1 }), customerCode: 'HOSP-2' };
    const mine = await world.post<{ orderId: string }>('/v2/orders', body, bound);
    await world.act(mine.orderId, 'approve');
    const own = await world.ship(mine.orderId);
    const get = <D>(path: string) => world.must<{ items: D[] }>('GET', path, undefined, bound);
    for (const path of ['/v2/orders', '/v2/orders?customerCode=HOSP-2']) {
      const { items } = await get<{ orderId: string }>(path);
      expect(items.map((each) => each.orderId)).toEqual([mine.orderId]);
    }
    const dispatches = (await get<{ dispatchId: string }>('/v2/dispatches')).items;
    expect(dispatches.map((each) => each.dispatchId)).toEqual([own.dispatchId]);
    const events = (await get<{ data: { customerCode: string } }>('/v2/events')).items;
    expect(events.map((each) => each.data.customerCode)).toEqual(['HOSP-2', 'HOSP-2', 'HOSP-2']);
    const status = async (method: string, path: string, sent?: object) =>
      (await world.call(method, path, sent, bound)).status;
    expect(await status('GET', '/v2/orders?customerCode=HOSP-1')).toBe(403);
    expect(await status('GET', `/v2/orders/${foreign.orderId}`)).toBe(404);
    expect(await status('GET', `/v2/dispatches/${shipped.dispatchId}`)).toBe(404);
    expect(await status('POST', '/v2/orders', { ...body, customerCode: 'HOSP-1' })).toBe(403);
    expect(await status('POST', `/v2/orders/${mine.orderId}/approve`, {})).toBe(403);
  });
});
