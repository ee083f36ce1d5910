import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../harness/index.js';
import { exceptionsIn } from './flow-invariants.js';
import { type OrderView, openFlow, statusOf, type World } from './flow-world.js';

const times = <T>(n: number, work: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)));
const count = (items: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(items)].map((item) => [item, items.filter((each) => each === item).length]));

describe('many clients at once, at two processes', () => {
  let world: World;
  let other: TestApi;
  beforeAll(async () => {
    world = await openFlow();
    other = await startApi(await world.db.another());
  });
  afterAll(async () => {
    await other.close();
    await world.close();
  });

  /** Every second call goes to the other process. */
  const call = <D>(i: number, path: string, body: unknown, headers: Record<string, string> = {}) =>
    (i % 2 === 0 ? world.api : other).call<D>('POST', path, body, world.org.key, headers);
  const keyed = (key: string) => ({ 'idempotency-key': key });
  const orgId = () => world.org.organization.orgId;

  it('64 approvals against stock for half: half approved, the rest refused, nothing oversold', async () => {
    const productCode = await world.newProduct({ safetyStock: 100 });
    await world.receive({ productCode, quantity: 64 });
    const orders = await times(64, () => world.newOrder({ productCode, quantity: 2 }));
    const answers = await times(64, (i) => call(i, `/v2/orders/${orders[i]?.orderId}/approve`, {}));
    expect(count(answers.map(statusOf))).toEqual({ ok: 32, insufficient_stock: 32 });
    expect(await world.stock(productCode)).toEqual([64, 0, 64, 0]);
    const low = (await world.newEvents()).filter((event) => event.eventType === 'inventory.low_stock');
    expect(low.filter((event) => event.data.productCode === productCode)).toHaveLength(1);
    expect(await exceptionsIn(world.db, orgId())).toEqual({});
  });

  it('one order approved by many at once is approved once', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 50 });
    const { orderId } = await world.newOrder({ productCode, quantity: 5 });
    const answers = await times(16, (i) => call(i, `/v2/orders/${orderId}/approve`, {}));
    expect(count(answers.map(statusOf))).toEqual({ ok: 1, transition_not_allowed: 15 });
    expect(await world.stock(productCode)).toEqual([50, 45, 5, 0]);
  });

  it('one number synchronised by 50 clients is one order, created once', async () => {
    const body = world.orderBody({});
    const answers = await times(50, (i) => call<OrderView>(i, '/v2/orders', body));
    expect(count(answers.map(({ data }) => data.result))).toEqual({ created: 1, unchanged: 49 });
    expect(new Set(answers.map(({ data }) => data.orderId)).size).toBe(1);
  });

  it('different contents for one number at once: each response shows its own result', async () => {
    const body = world.orderBody({});
    const answers = await times(12, (i) => call<OrderView>(i, '/v2/orders', { ...body, remark: `v${i}` }));
    expect(count(answers.map(({ data }) => data.result))).toEqual({ created: 1, updated: 11 });
    expect(answers.map(({ data }) => data.remark)).toEqual(answers.map((_, i) => `v${i}`));
    expect(answers.map(({ data }) => data.version).sort((a, b) => a - b)).toEqual(
      answers.map((_, i) => i + 1),
    );
  });

  it('one Idempotency-Key from 20 clients: one effect, one answer', async () => {
    const body = world.orderBody({});
    const created = await times(20, (i) => call<OrderView>(i, '/v2/orders', body, keyed('twenty')));
    expect(count(created.map(({ data }) => data.result))).toEqual({ created: 20 });
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 50 });
    const { orderId } = await world.newOrder({ productCode, quantity: 5 });
    const path = `/v2/orders/${orderId}/approve`;
    const approvals = await times(20, (i) => call(i, path, {}, keyed('approve')));
    expect(count(approvals.map(statusOf))).toEqual({ ok: 20 });
    expect(new Set(approvals.map(({ text }) => text)).size).toBe(1);
    expect(await world.stock(productCode)).toEqual([50, 45, 5, 0]);
    expect((await world.readOrder(orderId)).version).toBe(2);
  });

  it('a refusal is remembered byte for byte, also when the cause has gone', async () => {
    const productCode = await world.newProduct();
    const { orderId } = await world.newOrder({ productCode, quantity: 5 });
    const path = `/v2/orders/${orderId}/approve`;
    const first = await call(0, path, {}, keyed('refused'));
    expect([first.status, first.reason]).toEqual([400, 'insufficient_stock']);
    await world.receive({ productCode, quantity: 5 });
    const again = await call(1, path, {}, keyed('refused'));
    expect([again.status, again.text]).toEqual([400, first.text]);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect((await call(0, path, {}, keyed('anew'))).status).toBe(200);
  });

  it('a key stands for one body and one path', async () => {
    const body = world.orderBody({});
    expect((await call(0, '/v2/orders', body, keyed('one'))).status).toBe(200);
    expect((await call(1, '/v2/orders', { ...body, remark: 'x' }, keyed('one'))).reason).toBe(
      'idempotency_key_reused',
    );
    // The same content in other words is the same request only if it is the same JSON.
    const turned = Object.fromEntries(Object.entries(body).reverse());
    expect((await call<OrderView>(1, '/v2/orders', turned, keyed('one'))).data.result).toBe('created');
  });

  it('what was not found is not remembered: once the order exists the same key works', async () => {
    const body = world.orderBody({});
    const cancel = { orderNo: body.orderNo, customerCode: body.customerCode, cancel: true };
    const missing = await times(6, (i) => call(i, '/v2/orders', cancel, keyed('early')));
    expect(missing.map(({ status, code }) => [status, code])).toEqual(missing.map(() => [404, 1004]));
    await world.post('/v2/orders', body);
    expect((await call<OrderView>(0, '/v2/orders', cancel, keyed('early'))).data.result).toBe('cancelled');
    expect((await call<OrderView>(1, '/v2/orders', cancel, keyed('early'))).data.result).toBe('cancelled');
  });

  it('one bad call among many harms none of the others', async () => {
    const good = Array.from({ length: 10 }, () => world.orderBody({}));
    const bad = { ...world.orderBody({}), customerCode: 'NOBODY' };
    const answers = await times(20, (i) => call(0, '/v2/orders', i % 2 === 0 ? good[i / 2] : bad));
    expect(count(answers.map(statusOf))).toEqual({ ok: 10, unknown_reference: 10 });
  });

  it('picks of the last serialized units by several dispatches at once take none twice', async () => {
    const productCode = await world.newProduct({ tracking: 'serial' });
    const serials = ['A1', 'A2', 'A3', 'A4'];
    await world.receive({ productCode, quantity: 4, serials });
    const dispatches = await times(4, async () => {
      const { orderId } = await world.approved({ productCode, quantity: 1 });
      return (await world.open(orderId)).dispatchId;
    });
    const picks = { picks: [{ lineNo: 1, batchNo: 'B1', quantity: 1, serials: ['A1'] }] };
    const answers = await times(4, (i) => call(i, `/v2/dispatches/${dispatches[i]}/picks`, picks));
    expect(count(answers.map(statusOf))).toEqual({ ok: 1, serials_mismatch: 3 });
  });

  it('dispatches that lost their stock race for another batch without reserving it twice', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 12 });
    const dispatches = await times(4, async () => {
      const { orderId } = await world.approved({ productCode, quantity: 3 });
      return (await world.open(orderId)).dispatchId;
    });
    await world.post('/v2/stock/holds', { productCode, batchNo: 'B1', reason: 'quarantine' });
    await world.receive({ productCode, batchNo: 'B2', quantity: 7 });
    const picks = { picks: [{ lineNo: 1, batchNo: 'B2', quantity: 3, reason: 'B1 is on hold' }] };
    const answers = await times(4, (i) => call(i, `/v2/dispatches/${dispatches[i]}/picks`, picks));
    expect(count(answers.map(statusOf))).toEqual({ ok: 2, insufficient_stock: 2 });
    expect(await world.stock(productCode)).toEqual([19, 1, 6, 12]);
    expect(await exceptionsIn(world.db, orgId())).toEqual({});
  });
});
