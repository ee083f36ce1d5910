import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN } from '../../test/harness/index.js';
import { openTraceWorld, PUMP_DI, type TraceAnswer } from '../../test/journeys/trace-world.js';

let world: Awaited<ReturnType<typeof openTraceWorld>>;
beforeAll(async () => {
  world = await openTraceWorld();
});
afterAll(() => world.close());

const batch = (batchNo: string) => `(01)${GTIN}(10)${batchNo}`;
const unitCode = (serialNo: string) => `(01)${PUMP_DI}(21)${serialNo}`;
const steps = ({ chain }: TraceAnswer) => chain.items.map((item) => item.step);
const holders = (trace: TraceAnswer) =>
  trace.holders.map(({ kind, code, quantity }) => `${kind} ${code} ${quantity}`);

describe('a batch', () => {
  it('is traced from its supplier to the customers that hold it', async () => {
    const { receiptId, receiptNo } = await world.receive({ batchNo: 'FOLLOWED', quantity: 10 });
    const { dispatchId, orderNo, deliver } = await world.sell('HOSP-1', { batchNo: 'FOLLOWED', quantity: 4 });
    expect((await world.trace(batch('FOLLOWED'))).status).toBe('in_stock');
    const arrivedAt = new Date(world.db.clock.now().getTime() - 30_000).toISOString();
    await deliver(arrivedAt);
    const trace = await world.trace(batch('FOLLOWED'));
    expect(trace.udi).toMatchObject({ deviceIdentifier: GTIN, batchNo: 'FOLLOWED', issuingAgency: 'GS1' });
    expect(trace.product).toMatchObject({ productCode: GTIN, tracking: 'batch', udiDi: GTIN, package: null });
    expect(holders(trace)).toEqual(['warehouse WH-1 6', 'customer HOSP-1 4']);
    const main = { kind: 'warehouse', code: 'WH-1', name: 'Main' };
    const hospital = { kind: 'customer', code: 'HOSP-1', name: 'City hospital' };
    const document = { type: 'dispatch', id: dispatchId, no: orderNo, line: 1 };
    expect(trace.chain.nextCursor).toBeNull();
    expect(trace.chain.items).toEqual([
      {
        step: 'received',
        at: expect.any(String),
        recordedAt: expect.any(String),
        location: 'WH-1',
        from: { kind: 'supplier', code: 'SUP-1', name: 'Acme Devices' },
        to: main,
        document: { type: 'receipt', id: receiptId, no: receiptNo, line: 1 },
        productName: 'Coronary stent 3.0×18',
        batchNo: 'FOLLOWED',
        serialNo: null,
        quantity: 10,
        actor: expect.stringContaining('owner@'),
        correction: null,
        certificates: [],
        notCovering: [],
      },
      expect.objectContaining({
        step: 'dispatched',
        location: 'WH-1',
        from: main,
        to: hospital,
        document,
        quantity: 4,
        actor: 'second@test.example',
      }),
      expect.objectContaining({
        step: 'delivered',
        at: arrivedAt,
        location: null,
        from: main,
        to: hospital,
        document,
        quantity: 4,
      }),
    ]);
  });

  it('shows adjustments, transfers, holds, releases and returns as separate steps', async () => {
    const { must } = world;
    const same = { productCode: GTIN, batchNo: 'BUSY' };
    await world.receive({ batchNo: 'BUSY', quantity: 10 });
    const correct = (quantityDelta: number) =>
      must('POST', '/v2/stock/adjustments', { ...same, warehouse: 'WH-1', quantityDelta, reason: 'count' });
    await correct(2);
    await correct(-1);
    await must('POST', '/v2/stock/transfers', { ...same, from: 'WH-1', to: 'WH-2', quantity: 3 });
    const { holdId } = await must<{ holdId: string }>('POST', '/v2/stock/holds', { ...same, reason: 'look' });
    expect((await world.trace(batch('BUSY'))).status).toBe('on_hold');
    await must('POST', `/v2/stock/holds/${holdId}/release`, { reason: 'good' });
    const { deliver } = await world.sell('HOSP-1', { batchNo: 'BUSY', quantity: 2 });
    await deliver();
    await world.takeBack('HOSP-1', { batchNo: 'BUSY', quantity: 1 });
    const trace = await world.trace(batch('BUSY'));
    expect(
      trace.chain.items.map(({ step, location, quantity }) => `${step} ${location} ${quantity}`),
    ).toEqual([
      'received WH-1 10',
      'added WH-1 2',
      'removed WH-1 1',
      'moved_out WH-1 3',
      'moved_in WH-2 3',
      'held WH-1 8',
      'held WH-2 3',
      'released WH-1 8',
      'released WH-2 3',
      'dispatched WH-1 2',
      'delivered null 2',
      'returned WH-1 1',
      'held WH-1 1',
    ]);
    const moved = trace.chain.items.filter(({ step }) => step.startsWith('moved'));
    for (const { from, to } of moved) expect([from?.code, to?.code]).toEqual(['WH-1', 'WH-2']);
    expect(holders(trace)).toEqual(['warehouse WH-1 7', 'warehouse WH-2 3', 'customer HOSP-1 1']);
  });

  it('has the status of the goods that are left', async () => {
    const { must } = world;
    await world.receive({ batchNo: 'LAST', quantity: 2 });
    const { deliver } = await world.sell('HOSP-2', { batchNo: 'LAST', quantity: 2 });
    expect((await world.trace(batch('LAST'))).status).toBe('dispatched');
    await deliver();
    expect(await world.trace(batch('LAST'))).toMatchObject({ status: 'delivered' });
    const entry = { productCode: GTIN, batchNo: 'LOST', warehouse: 'WH-1', reason: 'count' };
    await must('POST', '/v2/stock/adjustments', { ...entry, quantityDelta: 1, expiryDate: '2026-11-14' });
    expect(await world.trace(batch('LOST'))).toMatchObject({ status: 'expired' });
    await must('POST', '/v2/stock/adjustments', { ...entry, quantityDelta: -1 });
    expect(await world.trace(batch('LOST'))).toMatchObject({ status: 'removed', holders: [] });
  });
});

describe('a serialized unit', () => {
  it('is traced by its serial number, with only its own steps', async () => {
    const { must } = world;
    await world.receive({ productCode: 'PUMP-1', batchNo: 'P1', serials: ['SN-1', 'SN-2', 'SN-3'] });
    const hold = { productCode: 'PUMP-1', batchNo: 'P1', serials: ['SN-1'], reason: 'look' };
    const { holdId } = await must<{ holdId: string }>('POST', '/v2/stock/holds', hold);
    expect((await world.trace(unitCode('SN-1'))).status).toBe('on_hold');
    expect((await world.trace(unitCode('SN-2'))).status).toBe('in_stock');
    await must('POST', `/v2/stock/holds/${holdId}/release`, { reason: 'good' });
    const { deliver } = await world.sell('HOSP-1', {
      productCode: 'PUMP-1',
      batchNo: 'P1',
      serials: ['SN-1'],
    });
    const onTheWay = await world.trace(unitCode('SN-1'));
    expect([onTheWay.status, holders(onTheWay)]).toEqual(['dispatched', ['customer HOSP-1 1']]);
    await deliver();
    const trace = await world.trace(unitCode('SN-1'));
    expect(steps(trace)).toEqual(['received', 'held', 'released', 'dispatched', 'delivered']);
    for (const item of trace.chain.items) expect([item.quantity, item.serialNo]).toEqual([1, 'SN-1']);
    expect([trace.status, holders(trace)]).toEqual(['delivered', ['customer HOSP-1 1']]);
    expect(steps(await world.trace(unitCode('SN-2')))).toEqual(['received']);
    await world.takeBack('HOSP-1', { productCode: 'PUMP-1', batchNo: 'P1', serials: ['SN-1'] });
    const back = await world.trace(unitCode('SN-1'));
    expect([back.status, holders(back)]).toEqual(['on_hold', ['warehouse WH-1 1']]);
  });

  it('is on hold with its whole batch, and removed by an adjustment', async () => {
    const { must } = world;
    await world.receive({ productCode: 'PUMP-1', batchNo: 'P2', serials: ['SN-21', 'SN-22'] });
    const whole = { productCode: 'PUMP-1', batchNo: 'P2', reason: 'look' };
    const { holdId } = await must<{ holdId: string }>('POST', '/v2/stock/holds', whole);
    expect((await world.trace(unitCode('SN-21'))).status).toBe('on_hold');
    await must('POST', `/v2/stock/holds/${holdId}/release`, { reason: 'good' });
    expect((await world.trace(unitCode('SN-21'))).status).toBe('in_stock');
    const broken = {
      productCode: 'PUMP-1',
      batchNo: 'P2',
      warehouse: 'WH-1',
      serials: ['SN-21'],
      reason: 'fell',
    };
    await must('POST', '/v2/stock/adjustments', { ...broken, quantityDelta: -1 });
    expect(await world.trace(unitCode('SN-21'))).toMatchObject({ status: 'removed', holders: [] });
  });
});

describe('a device', () => {
  it('includes all goods of its product, also by the identifier of a package', async () => {
    const base = await world.trace(`(01)${PUMP_DI}`);
    expect(base.product).toMatchObject({ productCode: 'PUMP-1', package: null });
    const box = await world.trace('(01)10844588003285');
    expect(box.product.package).toEqual({ udiDi: '10844588003285', level: 'box', quantity: 4 });
    expect(box.chain).toEqual(base.chain);
    expect(new Set(base.chain.items.map((item) => item.batchNo))).toEqual(new Set(['P1', 'P2']));
  });

  it('without movements has an empty history', async () => {
    await world.must('PUT', '/v2/products/NEW-1', { productName: 'New', udiDi: '+A99912349' });
    await world.must('PUT', '/v2/products/09521234543213', { productName: 'Newer' });
    const trace = await world.trace('(01)09521234543213');
    expect(trace).toMatchObject({ status: 'none', holders: [], chain: { items: [], nextCursor: null } });
  });

  it.each([
    '(01)09506000134352',
    `(01)${GTIN}(10)NO-SUCH`,
    `(01)${PUMP_DI}(21)NO-SUCH`,
    `(01)${PUMP_DI}(10)P2(21)SN-1`,
  ])('an unknown device, batch or serialized unit is not found: %s', async (code) => {
    expect(await world.ask(code)).toMatchObject({
      status: 404,
      code: 1004,
      json: { errors: [{ path: 'code', reason: 'not_found' }] },
    });
  });
});

describe('as it was known', () => {
  it('at an instant: later entries do not affect history, holders and status', async () => {
    const { clock } = world.db;
    const before = clock.now().toISOString();
    clock.advance(1_000);
    await world.receive({ batchNo: 'THEN', quantity: 5 });
    const received = clock.now().toISOString();
    clock.advance(1_000);
    const hold = { productCode: GTIN, batchNo: 'THEN', reason: 'look' };
    const { holdId } = await world.must<{ holdId: string }>('POST', '/v2/stock/holds', hold);
    const held = clock.now().toISOString();
    clock.advance(1_000);
    await world.must('POST', `/v2/stock/holds/${holdId}/release`, { reason: 'good' });
    const { deliver } = await world.sell('HOSP-1', { batchNo: 'THEN', quantity: 5 });
    const dispatched = clock.now().toISOString();
    clock.advance(1_000);
    await deliver();
    const then = async (at: string) => {
      const trace = await world.trace(batch('THEN'), `?at=${at}`);
      return [trace.status, steps(trace).at(-1), ...holders(trace)];
    };
    expect(await then(before)).toEqual(['none', undefined]);
    expect(await then(received)).toEqual(['in_stock', 'received', 'warehouse WH-1 5']);
    expect(await then(held)).toEqual(['on_hold', 'held', 'warehouse WH-1 5']);
    expect(await then(dispatched)).toEqual(['dispatched', 'dispatched', 'customer HOSP-1 5']);
    expect(await then(clock.now().toISOString())).toEqual(['delivered', 'delivered', 'customer HOSP-1 5']);
  });

  it('goods on hold that were moved were on hold where they were', async () => {
    const { clock } = world.db;
    const goods = { productCode: GTIN, batchNo: 'MOVED' };
    await world.receive({ batchNo: 'MOVED', quantity: 5 });
    const hold = { ...goods, quantity: 5, reason: 'look' };
    const { holdId } = await world.must<{ holdId: string }>('POST', '/v2/stock/holds', hold);
    const held = clock.now().toISOString();
    const move = async (quantity: number): Promise<string> => {
      clock.advance(1_000);
      const goodsOnHold = { ...goods, from: 'WH-1', to: 'WH-2', quantity, holdId };
      await world.must('POST', '/v2/stock/transfers', goodsOnHold);
      return clock.now().toISOString();
    };
    const between = await move(2);
    await move(3);
    const then = await world.trace(batch('MOVED'), `?at=${held}`);
    expect([then.status, ...holders(then)]).toEqual(['on_hold', 'warehouse WH-1 5']);
    const half = await world.trace(batch('MOVED'), `?at=${between}`);
    expect([half.status, ...holders(half)]).toEqual(['on_hold', 'warehouse WH-1 3', 'warehouse WH-2 2']);
    const now = await world.trace(batch('MOVED'));
    expect([now.status, ...holders(now)]).toEqual(['on_hold', 'warehouse WH-2 5']);
  });

  it('serialized units on hold that were moved, too, one by one and with their batch', async () => {
    const { clock } = world.db;
    const goods = { productCode: 'PUMP-1', batchNo: 'P8', serials: ['SN-7', 'SN-8'] };
    await world.receive(goods);
    const hold = { ...goods, reason: 'look' };
    const { holdId } = await world.must<{ holdId: string }>('POST', '/v2/stock/holds', hold);
    const held = clock.now().toISOString();
    clock.advance(1_000);
    const move = { ...goods, serials: ['SN-8'], from: 'WH-1', to: 'WH-2', quantity: 1, holdId };
    await world.must('POST', '/v2/stock/transfers', move);
    expect((await world.trace(unitCode('SN-8'))).status).toBe('on_hold');
    const code = `(01)${PUMP_DI}(10)P8`;
    for (const [at, ...where] of [
      [held, 'warehouse WH-1 2'],
      [clock.now().toISOString(), 'warehouse WH-1 1', 'warehouse WH-2 1'],
    ]) {
      const trace = await world.trace(code, `?at=${at}`);
      expect([trace.status, ...holders(trace)]).toEqual(['on_hold', ...where]);
    }
  });

  it('also for a serialized unit', async () => {
    const { clock } = world.db;
    await world.receive({ productCode: 'PUMP-1', batchNo: 'P9', serials: ['SN-9'] });
    const received = clock.now().toISOString();
    clock.advance(1_000);
    await world.sell('HOSP-1', { productCode: 'PUMP-1', batchNo: 'P9', serials: ['SN-9'] });
    const trace = await world.trace(unitCode('SN-9'), `?at=${received}`);
    expect([trace.status, steps(trace), holders(trace)]).toEqual([
      'in_stock',
      ['received'],
      ['warehouse WH-1 1'],
    ]);
  });
});

describe('pages', () => {
  it('contain every step once and in order, during concurrent writes', async () => {
    const { must } = world;
    const entry = {
      productCode: GTIN,
      batchNo: 'LONG',
      warehouse: 'WH-1',
      expiryDate: null,
      reason: 'count',
    };
    const add = (quantityDelta: number) => must('POST', '/v2/stock/adjustments', { ...entry, quantityDelta });
    for (let n = 1; n <= 7; n++) await add(n);
    const found: number[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null; pages++) {
      const query: string = cursor === '' ? '?limit=3' : `?limit=3&cursor=${cursor}`;
      const { chain } = await world.trace(batch('LONG'), query);
      found.push(...chain.items.map((item) => item.quantity));
      cursor = chain.nextCursor;
      if (pages === 0) await add(8);
    }
    expect(found).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it.each([
    'x',
    Buffer.from('["trace","0"]').toString('base64url'),
    Buffer.from('["holds","1"]').toString('base64url'),
  ])('an invalid cursor is refused: %s', async (cursor) => {
    expect(await world.ask(batch('LONG'), `?cursor=${cursor}`)).toMatchObject({
      status: 400,
      reason: 'bad_cursor',
    });
  });
});
