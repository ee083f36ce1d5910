import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type DispatchView, type OrderView, openFlow, statusOf, type World } from './flow-world.js';

let world: World;
beforeAll(async () => {
  world = await openFlow();
});
afterAll(() => world.close());

const newPartner = async (role: 'customer' | 'supplier', status = 'active') => {
  const code = world.next(role);
  await setPartner(code, role, status);
  return code;
};
const setPartner = (code: string, role: 'customer' | 'supplier', status: string) =>
  world.must('PUT', `/v2/partners/${code}`, { name: `Partner ${code}`, roles: [role], status });
const setProduct = (code: string, status: string) =>
  world.must('PUT', `/v2/products/${code}`, { productName: `Product ${code}`, status });

/** A product of its own with stock in WH-1. */
const stocked = async (quantity = 100) => {
  const productCode = await world.newProduct();
  await world.receive({ productCode, quantity });
  return productCode;
};
const orderOf = (customerCode: string, productCode: string, quantity = 10) =>
  world.post<OrderView>('/v2/orders', { ...world.orderBody({ productCode, quantity }), customerCode });
const approve = (orderId: string) => world.call<OrderView>('POST', `/v2/orders/${orderId}/approve`, {});
/** An approved order, picked and waiting for its re-check. */
const picked = async (customerCode: string, productCode: string) => {
  const { orderId } = await orderOf(customerCode, productCode);
  await world.act(orderId, 'approve');
  const { dispatchId } = await world.open(orderId);
  await world.pick(dispatchId, { batchNo: 'B1', quantity: 10 });
  return { orderId, dispatchId };
};
const recheck = (dispatchId: string, body: object = { result: 'pass' }) =>
  world.call<DispatchView>('POST', `/v2/dispatches/${dispatchId}/recheck`, body, world.second);

describe('a suspended customer', () => {
  it('has orders recorded, but none approved until it is active again', async () => {
    const productCode = await stocked();
    const customer = await newPartner('customer', 'suspended');
    const { orderId, status } = await orderOf(customer, productCode);
    expect(status).toBe('pending_approval');
    const refusal = await approve(orderId);
    expect(statusOf(refusal)).toBe('customer_suspended');
    expect(refusal.json.errors[0]).toEqual({
      path: '/customerCode',
      reason: 'customer_suspended',
      message: `Customer ${customer} (Partner ${customer}) is suspended. Set its status to active with PUT /v2/partners/${customer}, or reject the order.`,
    });
    expect((await world.readOrder(orderId)).status).toBe('pending_approval');
    expect(await world.stock(productCode)).toEqual([100, 100, 0, 0]);
    await setPartner(customer, 'customer', 'active');
    expect(statusOf(await approve(orderId))).toBe('ok');
  });

  it('gets nothing reserved again and nothing shipped, and its re-check can still fail', async () => {
    const productCode = await stocked();
    const customer = await newPartner('customer');
    const { dispatchId } = await picked(customer, productCode);
    // The newest reservation loses its stock first.
    world.db.clock.advance(1_000);
    const short = await orderOf(customer, productCode);
    await world.act(short.orderId, 'approve');
    const hold = await world.post<{ holdId: string }>('/v2/stock/holds', {
      productCode,
      batchNo: 'B1',
      quantity: 85,
      warehouse: 'WH-1',
      reason: 'look at it',
    });
    await world.post(`/v2/stock/holds/${hold.holdId}/release`, { reason: 'good' });
    expect((await world.readOrder(short.orderId)).shortage).toBe(true);
    await setPartner(customer, 'customer', 'suspended');
    expect(await world.refused('POST', `/v2/orders/${short.orderId}/reserve`)).toBe('customer_suspended');
    expect(statusOf(await recheck(dispatchId))).toBe('customer_suspended');
    expect(statusOf(await recheck(dispatchId, { result: 'fail', reason: 'suspended' }))).toBe('ok');
  });

  it('fails only its own order among those approved at once', async () => {
    const productCode = await stocked();
    const customers = [
      await newPartner('customer'),
      await newPartner('customer', 'suspended'),
      await newPartner('customer'),
    ];
    const orders = await Promise.all(customers.map((customer) => orderOf(customer, productCode)));
    const answers = await Promise.all(orders.map(({ orderId }) => approve(orderId)));
    expect(answers.map(statusOf)).toEqual(['ok', 'customer_suspended', 'ok']);
    expect(await world.stock(productCode)).toEqual([100, 80, 20, 0]);
  });

  it('cannot be approved for, nor shipped to, once its suspension was answered', async () => {
    const productCode = await stocked(1000);
    for (let round = 0; round < 8; round++) {
      const customer = await newPartner('customer');
      const { dispatchId } = await picked(customer, productCode);
      const { orderId } = await orderOf(customer, productCode);
      // A response after the suspension began to wait must not have read the status before it.
      const lock = await holdPartner(customer);
      const steps = Promise.all([approve(orderId), recheck(dispatchId)]);
      await lock.suspendAfterOthersWait();
      expect((await steps).map(statusOf)).toEqual(['customer_suspended', 'customer_suspended']);
    }
  });
});

/** A second writer that has suspended a partner and has not committed yet. */
async function holdPartner(code: string) {
  const client = new pg.Client({
    connectionString: world.db.url,
    options: '-c search_path=lotward,public',
  });
  await client.connect();
  await client.query('begin');
  await client.query("update partners set status = 'suspended' where org_id = $1 and code = $2", [
    world.org.organization.orgId,
    code,
  ]);
  const waiting = async () => (await world.db.waiting()).length;
  return {
    async suspendAfterOthersWait() {
      await vi
        .waitFor(async () => expect(await waiting()).toBeGreaterThanOrEqual(2), { timeout: 60_000 })
        .finally(() => client.query('commit'))
        .finally(() => client.end());
    },
  };
}

describe('a suspended supplier', () => {
  const enter = async (supplierCode: string, productCode: string) =>
    (
      await world.post<{ receiptId: string }>('/v2/receipts', {
        ...world.receiptBody({ productCode }),
        supplierCode,
      })
    ).receiptId;
  const accept = (receiptId: string, acceptedQuantity = 10) =>
    world.call('POST', `/v2/receipts/${receiptId}/acceptance`, {
      lines: [
        {
          lineNo: 1,
          acceptedQuantity,
          rejectedQuantity: 10 - acceptedQuantity,
          rejectReason: 'not wanted',
        },
      ],
    });

  it('has nothing accepted, but may be rejected', async () => {
    const productCode = await world.newProduct();
    const supplier = await newPartner('supplier', 'suspended');
    const refusal = await accept(await enter(supplier, productCode));
    expect([statusOf(refusal), refusal.json.errors?.[0]?.path]).toEqual([
      'supplier_suspended',
      '/supplierCode',
    ]);
    expect(await world.stock(productCode)).toEqual([0, 0, 0, 0]);
    expect(statusOf(await accept(await enter(supplier, productCode), 0))).toBe('ok');
  });

  it.each([
    ['suspended', 'product_suspended'],
    ['discontinued', 'product_discontinued'],
  ])('and a %s product is not purchased either', async (status, reason) => {
    const productCode = await world.newProduct({ status });
    const refusal = await accept(await enter('SUP-1', productCode));
    expect([statusOf(refusal), refusal.json.errors?.[0]?.path]).toEqual([reason, '/lines/0']);
    expect(statusOf(await accept(await enter('SUP-1', productCode), 0))).toBe('ok');
  });
});

describe('a suspended product', () => {
  it('is neither approved, nor reserved again, nor shipped; all its lines are named', async () => {
    const productCode = await stocked();
    const { dispatchId } = await picked('HOSP-1', productCode);
    const two = await world.newOrder({ productCode }, { quantity: 1 }, { productCode, quantity: 1 });
    await setProduct(productCode, 'suspended');
    const refusal = await approve(two.orderId);
    expect(refusal.json.errors?.map(({ path, reason }) => [path, reason])).toEqual([
      ['/lines/0', 'product_suspended'],
      ['/lines/2', 'product_suspended'],
    ]);
    expect(statusOf(await recheck(dispatchId))).toBe('product_suspended');
    await setProduct(productCode, 'active');
    expect(statusOf(await recheck(dispatchId))).toBe('ok');
  });

  it('that is discontinued is sold off', async () => {
    const productCode = await stocked();
    await setProduct(productCode, 'discontinued');
    const { dispatchId } = await picked('HOSP-1', productCode);
    expect(statusOf(await recheck(dispatchId))).toBe('ok');
  });
});

it('takes back what suspended customers return, of suspended products too', async () => {
  const productCode = await stocked();
  const customerCode = await newPartner('customer');
  const { orderId } = await orderOf(customerCode, productCode);
  await world.act(orderId, 'approve');
  await world.deliver((await world.ship(orderId)).dispatchId);
  await setPartner(customerCode, 'customer', 'suspended');
  await setProduct(productCode, 'suspended');
  await world.receive(
    { productCode, quantity: 10 },
    { kind: 'return', customerCode, supplierCode: undefined },
  );
  expect(await world.stock(productCode)).toEqual([100, 90, 0, 10]);
});
