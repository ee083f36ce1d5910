import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN } from '../harness/index.js';
import { type OrderView, openFlow, type World } from './flow-world.js';

let world: World;
beforeAll(async () => {
  world = await openFlow();
});
afterAll(() => world.close());

describe('receipts', () => {
  const accept = (receiptId: string, ...lines: object[]) =>
    world.refused('POST', `/v2/receipts/${receiptId}/acceptance`, {
      lines: (lines.length > 0 ? lines : [{}]).map((line) => ({
        lineNo: 1,
        acceptedQuantity: 10,
        rejectedQuantity: 0,
        ...line,
      })),
    });
  const enter = async (body: object) =>
    (await world.post<{ receiptId: string }>('/v2/receipts', body)).receiptId;

  it('are refused for each reason their entry can have', async () => {
    const body = world.receiptBody();
    const [line] = body.lines;
    const refused = (change: object) => world.refused('POST', '/v2/receipts', { ...body, ...change });
    expect(await refused({ kind: 'return' })).toBe('partner_required');
    expect(await refused({ supplierCode: undefined })).toBe('partner_required');
    expect(await refused({ supplierCode: 'HOSP-1' })).toBe('wrong_partner_role');
    expect(await refused({ warehouse: 'NOPE' })).toBe('unknown_reference');
    expect(await refused({ lines: [line, line] })).toBe('duplicate_line');
    const unit = { ...line, productCode: 'PUMP-1', quantity: 1, serials: ['S1'] };
    expect(await refused({ lines: [unit, { ...unit, lineNo: 2 }] })).toBe('serial_twice');
    const answer = await world.call('POST', '/v2/receipts', {
      ...body,
      lines: [{ ...line, lineNo: 2, productCode: 'NOPE' }, line],
    });
    expect(answer.json.errors[0]).toMatchObject({
      reason: 'unknown_reference',
      path: '/lines/0/productCode',
    });
  });

  it('are refused for each reason their acceptance can have, and then still wait', async () => {
    const receiptId = await enter(world.receiptBody({ batchNo: 'Q1' }));
    expect(await accept(receiptId, { lineNo: 2 })).toBe('lines_mismatch');
    expect(await accept(receiptId, {}, { lineNo: 2 })).toBe('lines_mismatch');
    expect(await accept(receiptId, { rejectedQuantity: 1 })).toBe('quantities_mismatch');
    expect(await accept(receiptId, { acceptedQuantity: 9, rejectedQuantity: 1 })).toBe(
      'reject_reason_required',
    );
    expect(await accept(await enter(world.receiptBody({ expiryDate: '2026-11-14' })))).toBe('batch_expired');
    await world.receive({ batchNo: 'Q2' });
    const other = world.receiptBody({ batchNo: 'Q2', expiryDate: '2031-01-01' });
    expect(await accept(await enter(other))).toBe('batch_expiry_mismatch');
    const units = { productCode: 'PUMP-1', batchNo: 'P1', quantity: 2, serials: ['T1', 'T2'] };
    const serial = await enter(world.receiptBody(units));
    const half = { acceptedQuantity: 1, rejectedQuantity: 1, rejectReason: 'broken' };
    expect(await accept(serial, half)).toBe('quantities_mismatch');
    expect(await accept(serial, { ...half, acceptedSerials: ['T3'] })).toBe('quantities_mismatch');
    await world.post(`/v2/receipts/${serial}/acceptance`, {
      lines: [{ lineNo: 1, ...half, acceptedSerials: ['T2'] }],
    });
    const again = { ...units, quantity: 1, serials: ['T2'] };
    expect(await accept(await enter(world.receiptBody(again)), { acceptedQuantity: 1 })).toBe(
      'serial_in_stock',
    );
    expect((await world.must<{ status: string }>('GET', `/v2/receipts/${receiptId}`)).status).toBe(
      'pending_acceptance',
    );
  });

  it('a batch that expires today is accepted; an expired one can still be rejected', async () => {
    await world.receive({ batchNo: 'TODAY', expiryDate: '2026-11-15', quantity: 1 });
    const receiptId = await enter(world.receiptBody({ batchNo: 'OLD', expiryDate: '2026-11-14' }));
    const before = (await world.newEvents()).length;
    expect(before).toBeGreaterThan(0);
    const receipt = await world.post<{ status: string }>(`/v2/receipts/${receiptId}/acceptance`, {
      lines: [{ lineNo: 1, acceptedQuantity: 0, rejectedQuantity: 10, rejectReason: 'expired' }],
    });
    expect(receipt.status).toBe('rejected');
    expect(await world.newEvents()).toEqual([]);
  });

  it('are synchronised by number while pending, accepted once, and then closed to change', async () => {
    const body = world.receiptBody({ batchNo: 'SYNC' });
    const sync = async (change: object = {}) =>
      (await world.post<{ result: string }>('/v2/receipts', { ...body, ...change })).result;
    expect([await sync(), await sync(), await sync({ remark: 'x' })]).toEqual([
      'created',
      'unchanged',
      'updated',
    ]);
    const receiptId = await enter({ ...body, remark: 'x' });
    const verdict = { lines: [{ lineNo: 1, acceptedQuantity: 10, rejectedQuantity: 0 }] };
    await world.post(`/v2/receipts/${receiptId}/acceptance`, verdict);
    expect(await accept(receiptId)).toBe('transition_not_allowed');
    expect(await sync({ remark: 'x' })).toBe('unchanged');
    expect(await world.refused('POST', '/v2/receipts', body)).toBe('receipt_not_editable');
  });

  it('returned goods, and only those, go on hold without an event', async () => {
    const productCode = await world.newProduct({ safetyStock: 50 });
    await world.receive({ productCode, quantity: 14 });
    await world.ship((await world.approved({ productCode, quantity: 4 })).orderId);
    await world.newEvents();
    const customer = { kind: 'return', supplierCode: undefined, customerCode: 'HOSP-1' };
    await world.receive({ productCode, quantity: 3 }, customer);
    expect(await world.stock(productCode)).toEqual([13, 10, 0, 3]);
    expect(await world.newEvents()).toEqual([]);
  });

  it('more than a balance can hold is refused, not a failure', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 1_000_000_000 });
    await world.receive({ productCode, quantity: 1_000_000_000 });
    const third = await enter(world.receiptBody({ productCode, quantity: 1_000_000_000 }));
    expect(await accept(third, { acceptedQuantity: 1_000_000_000 })).toBe('quantity_too_large');
  });
});

describe('synchronising orders', () => {
  const sync = async (body: object) => (await world.post<OrderView>('/v2/orders', body)).result;

  it('reports the result, and equal content in another spelling is unchanged', async () => {
    const body = {
      ...world.orderBody({ unitPrice: '10' }, { quantity: 3, unitPrice: '0.333333' }),
      requestedDate: null,
    };
    const order = await world.post<OrderView>('/v2/orders', body);
    expect([order.result, order.lines[0]?.unitPrice, order.totalAmount]).toEqual([
      'created',
      '10.00',
      '100.999999',
    ]);
    const said = { ...body, lines: body.lines.map((line) => ({ ...line, batchNo: null })).reverse() };
    expect(await sync(said)).toBe('unchanged');
    const [first, second] = body.lines;
    const priced = { ...first, unitPrice: '10.000000', productCode: GTIN.slice(1) };
    expect(await sync({ ...body, lines: [priced, second] })).toBe('unchanged');
    expect(await sync({ ...body, lines: [priced] })).toBe('updated');
    expect(await sync({ ...body, remark: 'x' })).toBe('updated');
  });

  it('money is summed without a binary fraction', async () => {
    const order = await world.newOrder(
      { quantity: 3, unitPrice: '0.1' },
      { quantity: 1_000_000_000, unitPrice: '999999999999.999999' },
    );
    expect(order.totalAmount).toBe('999999999999999999000.30');
  });

  it('older versions than the stored are refused, contents and cancellations alike', async () => {
    const body = world.orderBody({});
    expect(await sync({ ...body, sourceVersion: 5 })).toBe('created');
    const stale = (change: object) => world.refused('POST', '/v2/orders', { ...body, ...change });
    expect(await stale({ sourceVersion: 4, remark: 'x' })).toBe('stale_version');
    expect(await stale({ sourceVersion: 4 })).toBe('stale_version');
    expect(await stale({ sourceVersion: 4, cancel: true })).toBe('stale_version');
    expect(await sync({ ...body, sourceVersion: 7 })).toBe('unchanged');
    expect(await stale({ sourceVersion: 6, remark: 'x' })).toBe('stale_version');
    expect(await sync({ ...body, remark: 'no version' })).toBe('updated');
    expect(await sync({ ...body, sourceVersion: 7, cancel: true })).toBe('cancelled');
  });

  it('cancels where allowed, once, and nothing reopens', async () => {
    const body = world.orderBody({});
    const cancel = { orderNo: body.orderNo, customerCode: 'HOSP-1', cancel: true };
    expect((await world.call('POST', '/v2/orders', cancel)).status).toBe(404);
    await world.post('/v2/orders', body);
    expect([await sync(cancel), await sync(cancel)]).toEqual(['cancelled', 'unchanged']);
    expect(await sync(body)).toBe('unchanged');
    expect(await world.refused('POST', '/v2/orders', { ...body, remark: 'x' })).toBe('order_not_editable');
  });

  it('is refused for each reason its content can have', async () => {
    const body = world.orderBody({});
    const refused = (change: object) => world.refused('POST', '/v2/orders', { ...body, ...change });
    expect(await refused({ customerCode: 'SUP-1' })).toBe('wrong_partner_role');
    expect(await refused({ warehouse: 'NOPE' })).toBe('unknown_reference');
    expect(await refused({ lines: [{ ...body.lines[0], productCode: 'NOPE' }] })).toBe('unknown_reference');
    expect(await refused({ lines: [body.lines[0], body.lines[0]] })).toBe('duplicate_line');
    expect(await refused({ lines: undefined })).toBe('required');
  });
});

describe('the states of an order', () => {
  const ACTIONS = ['approve', 'reject', 'cancel', 'reserve', 'close', 'hold', 'release', 'dispatch'];
  /** The outcome of each action in each status; every other combination is a transition that is not allowed. */
  const ALLOWED: Record<string, Record<string, string>> = {
    pending_approval: {
      approve: 'ok',
      reject: 'ok',
      cancel: 'ok',
      hold: 'ok',
      release: 'order_not_on_hold',
    },
    approved: {
      cancel: 'ok',
      reserve: 'no_shortage',
      hold: 'ok',
      release: 'order_not_on_hold',
      dispatch: 'ok',
    },
    rejected: {},
    cancelled: {},
    partially_dispatched: {
      reserve: 'no_shortage',
      close: 'ok',
      hold: 'ok',
      release: 'order_not_on_hold',
      dispatch: 'ok',
    },
    dispatched: {},
    delivered: {},
  };

  async function orderIn(status: string, productCode: string): Promise<string> {
    const { orderId } = await world.newOrder({ productCode, quantity: 2 });
    if (status === 'pending_approval') return orderId;
    if (status === 'rejected') await world.act(orderId, 'reject', { reason: 'x' });
    else await world.act(orderId, 'approve');
    if (status === 'cancelled') await world.act(orderId, 'cancel');
    if (status === 'partially_dispatched') await world.ship(orderId, { lineNo: 1, quantity: 1 });
    if (status === 'dispatched' || status === 'delivered') {
      const { dispatchId } = await world.ship(orderId);
      if (status === 'delivered') await world.deliver(dispatchId);
    }
    expect((await world.readOrder(orderId)).status).toBe(status);
    return orderId;
  }

  const attempt = (orderId: string, action: string) =>
    action === 'dispatch'
      ? world.call('POST', '/v2/dispatches', { orderId })
      : world.call('POST', `/v2/orders/${orderId}/${action}`, action === 'approve' ? {} : { reason: 'x' });

  it.each(Object.entries(ALLOWED))('%s allows just its own moves', async (status, allowed) => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 100 });
    let orderId = await orderIn(status, productCode);
    for (const action of ACTIONS) {
      const answer = await attempt(orderId, action);
      const expected = allowed[action] ?? 'transition_not_allowed';
      expect([action, answer.reason ?? 'ok']).toEqual([action, expected]);
      if (expected === 'transition_not_allowed')
        expect(answer.json.errors[0]?.message).toContain(` is ${status}`);
      if (answer.status === 200) orderId = await orderIn(status, productCode);
    }
  });

  it('on hold everything stops but cancel and release', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 100 });
    const pending = await orderIn('pending_approval', productCode);
    const approved = await orderIn('approved', productCode);
    const partly = await orderIn('partially_dispatched', productCode);
    const { dispatchId } = await world.open(partly);
    for (const orderId of [pending, approved, partly]) await world.act(orderId, 'hold', { reason: 'credit' });
    const stopped: [string, string][] = [
      [pending, 'approve'],
      [pending, 'reject'],
      [pending, 'hold'],
      [approved, 'reserve'],
      [approved, 'dispatch'],
      [partly, 'close'],
    ];
    for (const [orderId, action] of stopped)
      expect([action, (await attempt(orderId, action)).reason]).toEqual([action, 'order_on_hold']);
    const picks = { picks: [{ lineNo: 1, batchNo: 'B1', quantity: 1 }] };
    expect(await world.refused('POST', `/v2/dispatches/${dispatchId}/picks`, picks)).toBe('order_on_hold');
    expect((await world.act(partly, 'release')).onHold).toBe(false);
    await world.on(dispatchId, 'picks', picks);
    expect((await world.act(approved, 'cancel')).status).toBe('cancelled');
  });

  it('a suspended product stops approval', async () => {
    const productCode = await world.newProduct();
    const { orderId } = await world.newOrder({ quantity: 1 }, { productCode });
    await world.must('PUT', `/v2/products/${productCode}`, { productName: 'x', status: 'suspended' });
    const answer = await attempt(orderId, 'approve');
    expect(answer.json.errors[0]).toMatchObject({ reason: 'product_suspended', path: '/lines/1' });
  });
});
