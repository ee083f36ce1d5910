import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, newOrganization, openTestService } from '../../test/harness/index.js';

const PATH = '/v2/orders/batch';

interface Item {
  status: number;
  data?: { orderId: string; orderNo: string; result: string; status: string; remark: string | null };
  code?: number;
  errors?: { path: string | null; reason: string; message: string }[];
}

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService();
  await must('PUT', '/v2/partners/HOSP-2', { name: 'Hospital 2', roles: ['customer'] });
});
afterAll(() => service.close());

async function must<D>(method: string, path: string, body?: object): Promise<D> {
  const answer = await service.call<D>(method, path, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}

const order = (orderNo: string, more: object = {}) => ({
  orderNo,
  customerCode: 'HOSP-1',
  warehouse: 'WH-1',
  currency: 'EUR',
  lines: [{ lineNo: 1, productCode: GTIN, quantity: 1, unitPrice: '1.00' }],
  ...more,
});
const cancellation = (orderNo: string) => ({ orderNo, customerCode: 'HOSP-1', cancel: true });
const send = (orders: readonly unknown[], key?: string, headers?: Record<string, string>) =>
  service.call<{ items: Item[] }>('POST', PATH, { orders }, key, headers);

async function outcomes(orders: readonly unknown[], key?: string): Promise<Item[]> {
  const answer = await send(orders, key);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.data.items).toHaveLength(orders.length);
  return answer.data.items;
}

const inShort = ({ status, data, errors }: Item) => [status, data?.result ?? errors?.[0]?.reason];
const storedNumbers = async (like: string) =>
  (
    await service.db.sql<{ order_no: string }>(
      'select order_no from orders where order_no like $1 order by order_no',
      [like],
    )
  ).map((row) => row.order_no);

describe('each order of a batch has its own outcome', () => {
  it('in the order of the request; one that is refused is not stored and does not affect the others', async () => {
    const unknown = order('OWN-2', {
      lines: [{ lineNo: 1, productCode: 'NOPE', quantity: 1, unitPrice: '1.00' }],
    });
    const items = await outcomes([order('OWN-3'), unknown, order('OWN-1')]);
    expect(items.map(inShort)).toEqual([
      [200, 'created'],
      [400, 'unknown_reference'],
      [200, 'created'],
    ]);
    expect(items.map(({ data }) => data?.orderNo)).toEqual(['OWN-3', undefined, 'OWN-1']);
    expect(items[1]).toEqual({
      status: 400,
      code: 1001,
      errors: [{ path: '/lines/0/productCode', reason: 'unknown_reference', message: expect.any(String) }],
    });
    expect(await storedNumbers('OWN-%')).toEqual(['OWN-1', 'OWN-3']);
  });

  it('which is the one that the order would have alone', async () => {
    const refused = [
      null,
      5,
      [],
      {},
      order('AL-1', { colour: 'red' }),
      order('AL-2', { lines: [{ lineNo: 1, productCode: GTIN, quantity: 0, unitPrice: 'x' }] }),
      order('AL-3', { warehouse: undefined }),
      order('AL-4', { currency: 'ZZZ' }),
      order('AL-5', { lines: [order('').lines[0], order('').lines[0]] }),
      order('AL-6', { customerCode: 'NOPE', warehouse: 'NOPE' }),
      order('AL-7', { requestedDate: '2026-02-30' }),
      cancellation('AL-8'),
    ];
    const items = await outcomes([...refused, order('AL-9')]);
    for (const [i, body] of refused.entries()) {
      const alone = await service.call('POST', '/v2/orders', JSON.stringify(body));
      const { code, errors } = alone.json;
      expect(items[i], JSON.stringify(body)).toEqual({ status: 400, code, errors });
    }
    const { result, ...data } = items.at(-1)?.data ?? expect.fail('the last order is good');
    expect(result).toBe('created');
    expect(await must('GET', `/v2/orders/${data.orderId}`)).toEqual(data);
    expect(await storedNumbers('AL-%')).toEqual(['AL-9']);
  });

  it('orders with one number are handled one after the other, and each outcome shows the order as it was then', async () => {
    const same = order('SAME');
    const items = await outcomes([
      same,
      order('SAME', { remark: 'second' }),
      order('SAME', { customerCode: 'HOSP-2' }),
      order('SAME', { remark: 'second' }),
      cancellation('SAME'),
      same,
    ]);
    expect(items.map(inShort)).toEqual([
      [200, 'created'],
      [200, 'updated'],
      [200, 'created'],
      [200, 'unchanged'],
      [200, 'cancelled'],
      [400, 'order_not_editable'],
    ]);
    expect(items.slice(0, 5).map(({ data }) => [data?.remark, data?.status])).toEqual([
      [null, 'pending_approval'],
      ['second', 'pending_approval'],
      [null, 'pending_approval'],
      ['second', 'pending_approval'],
      ['second', 'cancelled'],
    ]);
  });

  it('a cancellation that is refused leaves the others: their stock is free, and their events and audit entries exist', async () => {
    const stock = { productCode: GTIN, warehouse: 'WH-1', batchNo: 'C1', expiryDate: '2028-01-01' };
    await must('POST', '/v2/stock/adjustments', { ...stock, quantityDelta: 3, reason: 'count' });
    const made = await outcomes(['CA-1', 'CA-2', 'CA-3'].map((no) => order(no)));
    const ids = made.map(({ data }) => data?.orderId ?? '');
    for (const id of ids) await must('POST', `/v2/orders/${id}/approve`, {});
    const line = { lineNo: 1, quantity: 1 };
    await must('POST', '/v2/dispatches', { orderId: ids[1], lines: [line] });
    const items = await outcomes(['CA-1', 'CA-2', 'CA-3', 'CA-4'].map(cancellation));
    expect(items.map(inShort)).toEqual([
      [200, 'cancelled'],
      [400, 'open_dispatch'],
      [200, 'cancelled'],
      [400, 'not_found'],
    ]);
    expect(items[3]?.code).toBe(1004);
    const reserved = await service.db.sql('select order_id from reservations where order_id = any($1)', [
      ids,
    ]);
    expect(reserved).toEqual([{ order_id: ids[1] }]);
    const about = (table: string, type: string) =>
      service.db.sql<{ id: string }>(
        `select entity_id as id from ${table} where entity_id = any($1) and ${type} order by 1`,
        [ids],
      );
    const cancelled = [ids[0], ids[2]].sort().map((id) => ({ id }));
    expect(await about('audit_entries', `action = 'order.cancel'`)).toEqual(cancelled);
    expect(await about('events', `body::json->'data'->>'currentStatus' = 'cancelled'`)).toEqual(cancelled);
  });
});

describe('a batch', () => {
  it.each([
    ['no order', { orders: [] }, '/orders', 'bad_item_count'],
    [
      '201 orders',
      { orders: Array.from({ length: 201 }, (_, i) => order(`MANY-${i}`)) },
      '/orders',
      'bad_item_count',
    ],
    ['no list', { orders: order('MANY-1') }, '/orders', 'wrong_type'],
    ['nothing', {}, '/orders', 'required'],
    ['another field', { orders: [order('MANY-1')], dryRun: true }, '/dryRun', 'unknown_field'],
  ])('with %s is refused as a whole', async (_what, body, path, reason) => {
    const answer = await service.call('POST', PATH, body);
    expect([answer.status, answer.code]).toEqual([400, 1001]);
    expect(answer.json.errors).toMatchObject([{ path, reason }]);
    expect(await storedNumbers('MANY-%')).toEqual([]);
  });

  it('needs a credential with orders:write', async () => {
    const [one] = [order('DENIED')];
    expect((await send([one], 'lw_nobody')).status).toBe(401);
    const { apiKey } = await service.org.newKey({ scopes: ['orders:read', 'orders:approve'] });
    expect(await send([one], apiKey)).toMatchObject({ status: 403, reason: 'scope_missing' });
    expect(await storedNumbers('DENIED')).toEqual([]);
  });

  it('of a credential bound to a customer: orders of others are refused, whether or not they exist', async () => {
    await must('POST', '/v2/orders', order('BOUND-1'));
    const { apiKey } = await service.org.newKey({ scopes: ['orders:write'], customerCode: 'HOSP-2' });
    const items = await outcomes(
      [
        order('BOUND-1', { remark: 'taken over' }),
        order('BOUND-2', { customerCode: 'HOSP-2' }),
        cancellation('BOUND-1'),
        order('BOUND-3', { customerCode: 'NOPE' }),
      ],
      apiKey,
    );
    const refused = {
      status: 400,
      code: 1003,
      errors: [{ path: null, reason: 'customer_bound', message: expect.any(String) }],
    };
    expect(items).toEqual([refused, { status: 200, data: expect.anything() }, refused, refused]);
    expect(items[1]?.data).toMatchObject({ orderNo: 'BOUND-2', result: 'created' });
    const { items: kept } = await must<{ items: object[] }>('GET', '/v2/orders?orderNo=BOUND-1');
    expect(kept).toMatchObject([
      { customerCode: 'HOSP-1', remark: null, status: 'pending_approval', version: 1 },
    ]);
  });

  it('does not reach the orders of another organization that have the same number', async () => {
    const first = await must<{ orderId: string }>('POST', '/v2/orders', order('THEIRS'));
    const other = await newOrganization(service.db);
    const [item] = await outcomes([cancellation('THEIRS')], other.key);
    expect(item).toMatchObject({ status: 400, code: 1004 });
    expect(await must('GET', `/v2/orders/${first.orderId}`)).toMatchObject({ status: 'pending_approval' });
  });

  it('sent again under its Idempotency-Key is answered the same, refusals included, and done once', async () => {
    const batch = [order('KEY-1'), order('KEY-2', { customerCode: 'HOSP-LATER' }), {}];
    const headers = { 'idempotency-key': 'batch' };
    const first = await send(batch, undefined, headers);
    expect(first.data.items.map(({ status }) => status)).toEqual([200, 400, 400]);
    await must('PUT', '/v2/partners/HOSP-LATER', { name: 'Later', roles: ['customer'] });
    const again = await send(batch, undefined, headers);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect([first, again].map((each) => each.headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect(await storedNumbers('KEY-%')).toEqual(['KEY-1']);
    const other = await send([order('KEY-3')], undefined, headers);
    expect([other.status, other.reason]).toEqual([400, 'idempotency_key_reused']);
  });

  it('is done as a whole or not at all: what cannot be done now is stored nowhere, and can be sent again', async () => {
    const { orderId } = await must<{ orderId: string }>('POST', '/v2/orders', order('HELD-1'));
    const batch = [order('HELD-0'), order('HELD-1', { remark: 'changed' }), order('HELD-2')];
    const headers = { 'idempotency-key': 'held' };
    const holder = new pg.Client({ connectionString: service.db.url, options: '-c search_path=lotward' });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select from orders where org_id = $1 and order_id = $2 for update', [
        service.org.organization.orgId,
        orderId,
      ]);
      expect(await send(batch, undefined, headers)).toMatchObject({ status: 500, reason: 'record_locked' });
    } finally {
      await holder.end();
    }
    expect(await storedNumbers('HELD-%')).toEqual(['HELD-1']);
    const again = await send(batch, undefined, headers);
    expect(again.data.items.map(inShort)).toEqual([
      [200, 'created'],
      [200, 'updated'],
      [200, 'created'],
    ]);
  });

  it('with 200 orders, sent by several at once in any order: each order is created once', async () => {
    const batch = Array.from({ length: 200 }, (_, i) => order(`FULL-${i}`));
    const senders = [batch, [...batch].reverse(), batch, [...batch].reverse()];
    const answers = await Promise.all(senders.map((orders) => outcomes(orders)));
    const created = answers.flat().filter(({ data }) => data?.result === 'created');
    expect(created).toHaveLength(200);
    expect(answers.flat().filter(({ data }) => data?.result === 'unchanged')).toHaveLength(600);
    expect(await storedNumbers('FULL-%')).toHaveLength(200);
  });

  it('with cancellations locks stock in the sequence of the products, so that two batches do not deadlock', async () => {
    const place = { warehouse: 'WH-1', quantityDelta: 20, reason: 'count' };
    const stent = { productCode: GTIN, batchNo: 'DL', expiryDate: '2028-01-01' };
    for (const goods of [stent, { productCode: 'GLOVE-1' }])
      await must('POST', '/v2/stock/adjustments', { ...place, ...goods });
    const of = (productCode: string, from: number) =>
      Array.from({ length: 10 }, (_, i) =>
        order(`DL-${productCode}-${from + i}`, {
          lines: [{ lineNo: 1, productCode, quantity: 1, unitPrice: '1.00' }],
        }),
      );
    const batches = [
      [...of(GTIN, 0), ...of('GLOVE-1', 0)],
      [...of('GLOVE-1', 10), ...of(GTIN, 10)],
    ];
    const made = (await Promise.all(batches.map((batch) => outcomes(batch)))).flat();
    await Promise.all(made.map(({ data }) => must('POST', `/v2/orders/${data?.orderId}/approve`, {})));
    const deadlocks = () =>
      service.db.sql('select deadlocks from pg_stat_database where datname = current_database()');
    const before = await deadlocks();
    const cancelled = await Promise.all(
      batches.map((batch) => outcomes(batch.map(({ orderNo }) => cancellation(orderNo)))),
    );
    expect(new Set(cancelled.flat().map(({ data }) => data?.status))).toEqual(new Set(['cancelled']));
    expect(await deadlocks()).toEqual(before);
  });
});
