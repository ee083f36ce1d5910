import { afterAll, beforeAll, expect, it } from 'vitest';
import { GTIN, newOrganization, openTestService } from '../../test/harness/index.js';
import { verifyStock } from '../stock/index.js';

interface Expiring {
  productCode: string;
  batchNo: string;
  daysLeft: number;
  totalQuantity: number;
  blockedQuantity: number;
  byWarehouse: { warehouse: string; totalQuantity: number }[];
  demand: {
    shippedQuantity: number;
    openQuantity: number | null;
    expiringEarlier: number;
    surplus: number;
  };
  price: { unitPrice: string; currency: string } | null;
}

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService();
  await furnish();
});
afterAll(() => service.close());

async function must<D = object>(method: string, path: string, body?: object, key?: string): Promise<D> {
  const answer = await service.call<D>(method, path, body, key);
  expect(answer.status, `${path} ${answer.text}`).toBe(200);
  return answer.data;
}
const post = <D = object>(path: string, body: object, key?: string) => must<D>('POST', path, body, key);
const stock = (
  productCode: string,
  batchNo: string,
  expiryDate: string | null,
  quantityDelta: number,
  warehouse = 'WH-1',
) =>
  post('/v2/stock/adjustments', {
    ...{ productCode, warehouse, batchNo, expiryDate, quantityDelta, reason: 'count' },
  });
const order = async (orderNo: string, quantity: number) => {
  const { orderId } = await post<{ orderId: string }>('/v2/orders', {
    ...{ orderNo, customerCode: 'HOSP-1', warehouse: 'WH-1', currency: 'EUR' },
    lines: [{ lineNo: 1, productCode: GTIN, quantity, unitPrice: '12.5' }],
  });
  return orderId;
};

async function furnish(): Promise<void> {
  await must('PUT', '/v2/products/OTHER-1', { productName: 'Other' });
  await stock(GTIN, 'OLD', '2026-11-14', 3);
  await stock(GTIN, 'SOON', '2026-12-14', 30);
  await stock(GTIN, 'SOON', '2026-12-14', 4, 'WH-2');
  await stock('OTHER-1', 'SOON', '2026-12-14', 8, 'WH-2');
  await stock(GTIN, 'NEXT', '2027-01-20', 20);
  await stock(GTIN, 'LATER', '2028-01-01', 50);
  await stock(GTIN, 'NEVER', null, 7);
  await stock(GTIN, 'GONE', '2026-12-01', 2);
  await stock(GTIN, 'GONE', '2026-12-01', -2);
  // Nine shipped, of the batch that expires first; five more are wanted.
  const shipped = await order('shipped', 9);
  await post(`/v2/orders/${shipped}/approve`, {});
  const { dispatchId } = await post<{ dispatchId: string }>('/v2/dispatches', { orderId: shipped });
  const picks = { picks: [{ lineNo: 1, batchNo: 'SOON', quantity: 9 }] };
  const picker = (await service.org.newKey({ owner: 'picker@test.example' })).apiKey;
  await post(`/v2/dispatches/${dispatchId}/picks`, picks, picker);
  await post(`/v2/dispatches/${dispatchId}/recheck`, { result: 'pass' });
  await order('wanted', 5);
}

const list = async (query = '', key?: string) =>
  (await must<{ items: Expiring[] }>('GET', `/v2/stock/expiring${query}`, undefined, key)).items;
const names = (items: readonly Expiring[]) =>
  items.map((each) => `${each.productCode === GTIN ? '' : 'other '}${each.batchNo}`);

it('lists what is in stock and expires, earliest first, with its figures', async () => {
  const items = await list();
  expect(names(items)).toEqual(['OLD', 'SOON', 'other SOON', 'NEXT', 'LATER']);
  expect(items[0]).toMatchObject({ daysLeft: -1, totalQuantity: 3, blockedQuantity: 3 });
  expect(items[1]).toMatchObject({
    ...{ daysLeft: 29, totalQuantity: 25, blockedQuantity: 0 },
    byWarehouse: [
      { warehouse: 'WH-1', totalQuantity: 21 },
      { warehouse: 'WH-2', totalQuantity: 4 },
    ],
  });
});

it('says what of a batch will not be used: by what was shipped, what is ordered and what goes first', async () => {
  const [old, soon, other, next] = await list();
  expect(old?.demand).toMatchObject({ surplus: 3 });
  expect(soon?.demand).toMatchObject({
    shippedQuantity: 9,
    openQuantity: 5,
    expiringEarlier: 0,
    surplus: 20,
  });
  expect(soon?.price).toEqual({ unitPrice: '12.500000', currency: 'EUR' });
  expect(other).toMatchObject({ demand: { shippedQuantity: 0, openQuantity: 0, surplus: 8 }, price: null });
  expect(next?.demand).toMatchObject({ expiringEarlier: 25, surplus: 20 });
});

it('shows nothing of orders to those who may not read them', async () => {
  const [, soon] = await list('', (await service.org.newKey({ scopes: ['inventory:read'] })).apiKey);
  expect(soon).toMatchObject({ demand: { shippedQuantity: 9, openQuantity: null }, price: null });
});

it('is filtered by days left, dates, product and warehouse', async () => {
  expect(names(await list('?maxDays=-1'))).toEqual(['OLD']);
  expect(names(await list('?minDays=0&maxDays=29'))).toEqual(['SOON', 'other SOON']);
  expect(names(await list('?minDays=30&maxDays=90'))).toEqual(['NEXT']);
  expect(names(await list('?expiresFrom=2026-12-14&expiresThrough=2026-12-31'))).toEqual([
    'SOON',
    'other SOON',
  ]);
  expect(names(await list('?expiresFrom=2026-12-01&minDays=60'))).toEqual(['NEXT', 'LATER']);
  expect(names(await list('?warehouse=WH-2'))).toEqual(['SOON', 'other SOON']);
  expect(names(await list('?productCode=OTHER-1'))).toEqual(['other SOON']);
  for (const query of ['?maxDays=x', '?expiresFrom=2026-13-01', '?band=30'])
    expect((await service.call('GET', `/v2/stock/expiring${query}`)).status).toBe(400);
});

it('is read page by page without a batch missing or twice', async () => {
  const seen: Expiring[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { items: Expiring[]; nextCursor: string | null } = await must(
      'GET',
      `/v2/stock/expiring?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    expect(page.items.length).toBeLessThanOrEqual(2);
    seen.push(...page.items);
    cursor = page.nextCursor;
  }
  expect(names(seen)).toEqual(names(await list()));
});

it('finds a batch by its new date as soon as it was corrected', async () => {
  const correction = { expiryDate: '2026-12-20', reason: 'typing error' };
  await post(`/v2/stock/batches/${GTIN}/LATER/corrections`, correction);
  expect(names(await list('?expiresFrom=2026-12-20&expiresThrough=2026-12-20'))).toEqual(['LATER']);
  expect(names(await list('?expiresFrom=2028-01-01'))).toEqual([]);
  // The figures went from the old date to the new one, and are on neither twice.
  const verdict = await verifyStock(service.db.database, service.org.organization.orgId);
  expect(verdict).toMatchObject({ firstDifference: null });
});

it('needs its scope, and shows nothing of another organization', async () => {
  const without = (await service.org.newKey({ scopes: ['orders:read'] })).apiKey;
  expect((await service.call('GET', '/v2/stock/expiring', undefined, without)).status).toBe(403);
  expect(await list('', (await newOrganization(service.db)).key)).toEqual([]);
});
