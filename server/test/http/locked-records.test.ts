import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { CITUS_URL } from '../harness/cluster.js';
import { openTestService } from '../harness/index.js';

let service: Awaited<ReturnType<typeof openTestService>>;
let other: pg.Client;
beforeAll(async () => {
  service = await openTestService({ alone: true });
  await service.call('PUT', '/v2/products/MASK-1', { productName: 'Masks', tracking: 'none' });
  other = new pg.Client({ connectionString: service.db.url });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await service.close();
});

/** Another process holds one product for longer than anybody waits. */
beforeEach(async () => {
  await other.query('begin');
  await other.query(
    `select from lotward.products where org_id = $1 and product_code = 'GLOVE-1' for update`,
    [service.org.organization.orgId],
  );
});
afterEach(() => other.query('rollback'));

const adjust = (productCode: string) =>
  service.call('POST', '/v2/stock/adjustments', {
    productCode,
    warehouse: 'WH-1',
    quantityDelta: 1,
    expiryDate: null,
    reason: 'count',
  });

const sync = (orderNo: string, productCode: string) =>
  service.call('POST', '/v2/orders', {
    orderNo,
    customerCode: 'HOSP-1',
    warehouse: 'WH-1',
    currency: 'EUR',
    lines: [{ lineNo: 1, productCode, quantity: 1, unitPrice: '1.00' }],
  });

const waitingInDatabase = async () => (await service.db.waiting()).length;
const outcome = ({ status, reason }: { status: number; reason: string | undefined }) => reason ?? status;

it('changes of a locked product leave connections to the other requests of their organization', async () => {
  const waiting = Array.from({ length: 24 }, () => adjust('GLOVE-1'));
  await expect.poll(waitingInDatabase).toBe(3);
  for (let n = 0; n < 5; n++) expect((await adjust('MASK-1')).status).toBe(200);
  expect(await waitingInDatabase()).toBeLessThanOrEqual(3);
  const refusals = new Set((await Promise.all(waiting)).map(outcome));
  // Tests wait longer for a lock on a cluster, and for two in a row longer than a statement may take.
  if (CITUS_URL) refusals.delete('too_slow');
  expect(refusals).toEqual(new Set(['record_locked']));
});

it('orders that share a transaction do not fail with the one that needs a locked product', async () => {
  // Two transactions of one order each begin at once; those that arrive meanwhile share the next.
  const first = [sync('A-1', 'GLOVE-1'), sync('A-2', 'GLOVE-1')];
  await expect.poll(waitingInDatabase).toBe(2);
  const [locked, ...others] = [
    sync('B-0', 'GLOVE-1'),
    ...['B-1', 'B-2', 'B-3', 'B-4'].map((no) => sync(no, 'PUMP-1')),
  ];
  expect((await Promise.all(others)).map(outcome)).toEqual([200, 200, 200, 200]);
  expect((await Promise.all([...first, locked as (typeof first)[0]])).map(outcome)).toEqual([
    'record_locked',
    'record_locked',
    'record_locked',
  ]);
});

it('orders of a product that was locked a moment ago do not make others wait again', async () => {
  expect(outcome(await sync('D-0', 'GLOVE-1'))).toBe('record_locked');
  const guilty = Array.from({ length: 12 }, (_, i) => sync(`D-${i + 1}`, 'GLOVE-1'));
  await expect.poll(waitingInDatabase).toBe(3);
  // Calls that share a transaction would wait in it, beside the three that wait by themselves.
  const waiting: number[] = [];
  for (let n = 0; n < 5; n++) {
    expect((await sync(`E-${n}`, 'PUMP-1')).status).toBe(200);
    waiting.push(await waitingInDatabase());
  }
  expect(Math.max(...waiting)).toBeLessThanOrEqual(3);
  expect(new Set((await Promise.all(guilty)).map(outcome))).toEqual(new Set(['record_locked']));
});

it('a change that was refused because of a lock was not made, and can be sent again', async () => {
  expect(outcome(await sync('C-1', 'GLOVE-1'))).toBe('record_locked');
  await other.query('rollback');
  const again = await service.call<{ result: string }>('POST', '/v2/orders', {
    orderNo: 'C-1',
    customerCode: 'HOSP-1',
    warehouse: 'WH-1',
    currency: 'EUR',
    lines: [{ lineNo: 1, productCode: 'GLOVE-1', quantity: 1, unitPrice: '1.00' }],
  });
  expect([again.status, again.data.result]).toEqual([200, 'created']);
});
