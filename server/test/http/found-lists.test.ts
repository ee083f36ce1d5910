import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Documents, documentsOf } from '../access/documents.js';
import { toLoopback } from '../access/pushes.js';
import { GTIN, newOrganization, newSession, openTestService, type TestSession } from '../harness/index.js';

type Item = Record<string, string>;
interface Page {
  items: Item[];
  nextCursor: string | null;
  total?: { count: number; isExact: boolean };
}

let service: Awaited<ReturnType<typeof openTestService>>;
let admin: TestSession;
let documents: Documents;
const ids: Record<string, string> = {};

beforeAll(async () => {
  service = await openTestService({ webhooks: toLoopback });
  const stock = { productCode: GTIN, warehouse: 'WH-1', batchNo: 'LOT-QX7', expiryDate: '2030-01-01' };
  await must('POST', '/v2/stock/adjustments', { ...stock, quantityDelta: 1_000, reason: 'opening' });
  await must('PUT', '/v2/partners/HOSP-2', {
    name: 'Ward Quixote 上海医院',
    roles: ['customer', 'supplier'],
  });
  await must('PUT', '/v2/products/ZZ-9', { productName: 'Aspirator Quixote' });
  await must('PUT', '/v2/warehouses/WH-QX', { name: 'Quixote store' });
  const pushes = { customerCode: 'HOSP-2', callbackUrl: 'http://127.0.0.1:9/quixote' };
  documents = await documentsOf(service.api, service.org, 'FIND', pushes);
  admin = await newSession(service.db, service.org.organization.orgId);
  const order = {
    ...{ customerCode: 'HOSP-2', orderNo: 'SO-QX-1076', warehouse: 'WH-1', currency: 'CNY' },
    lines: [{ lineNo: 1, productCode: GTIN, quantity: 1, unitPrice: '1' }],
  };
  ids.order = (await must<Item>('POST', '/v2/orders', order)).orderId ?? '';
  ids.hold =
    (
      await must<Item>('POST', '/v2/stock/holds', {
        ...{ productCode: GTIN, batchNo: 'LOT-QX7', reason: 'damaged', category: 'quality' },
      })
    ).holdId ?? '';
  await documents.recall();
  await documents.certificate('active');
  await documents.receipt();
  await documents.webhook();
});
afterAll(() => service.close());

async function must<D>(method: string, path: string, body?: object): Promise<D> {
  const answer = await service.call<D>(method, path, body);
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200);
  return answer.data;
}
const find = (path: string, query: Record<string, string>) =>
  must<Page>('GET', `${path}?${new URLSearchParams(query)}`);
const idsOf = (page: Page, id: string) => page.items.map((item) => item[id]);

describe('a list with a text', () => {
  it.each<[path: string, q: string, id: string, found: () => string | undefined]>([
    ['/v2/orders', 'so-qx-10', 'orderId', () => ids.order],
    ['/v2/orders', 'ＱX-1076', 'orderId', () => ids.order],
    ['/v2/orders', 'quixote', 'orderId', () => ids.order],
    ['/v2/orders', '上海', 'orderId', () => ids.order],
    ['/v2/products', 'ASPIRATOR', 'productCode', () => 'ZZ-9'],
    ['/v2/products', 'z-9', 'productCode', () => 'ZZ-9'],
    ['/v2/partners', 'ward qui', 'code', () => 'HOSP-2'],
    ['/v2/partners', 'hosp-2', 'code', () => 'HOSP-2'],
    ['/v2/warehouses', 'QUIX', 'code', () => 'WH-QX'],
    ['/v2/stock/holds', 'qx7', 'holdId', () => ids.hold],
  ])('%s finds %s by any part, in any case', async (path, q, id, found) => {
    expect(idsOf(await find(path, { q }), id)).toContain(found());
    expect((await find(path, { q: `${q}-none` })).items).toEqual([]);
  });

  it.each(['/v2/receipts', '/v2/dispatches', '/v2/certificates', '/v2/recalls', '/v2/webhooks'])(
    '%s shows what has the text, and nothing else',
    async (path) => {
      const all = await find(path, {});
      const first = all.items[0] ?? {};
      const of: Record<string, string> = {
        '/v2/receipts': 'receiptNo',
        '/v2/dispatches': 'orderNo',
        '/v2/certificates': 'certificateNo',
        '/v2/recalls': 'recallNo',
        '/v2/webhooks': 'callbackUrl',
      };
      const text = first[of[path] ?? ''] ?? '';
      expect(text).not.toBe('');
      const found = await find(path, { q: text.toUpperCase() });
      expect(found.items.map((item) => item[of[path] ?? ''])).toContain(text);
      expect((await find(path, { q: 'no such text' })).items).toEqual([]);
    },
  );

  it('keeps the other filters', async () => {
    const q = 'so-qx-1076';
    expect((await find('/v2/orders', { q, status: 'pending_approval' })).items).toHaveLength(1);
    expect((await find('/v2/orders', { q, status: 'delivered' })).items).toEqual([]);
  });

  it('finds what was written a moment ago, and a record by its new name', async () => {
    await must('PUT', '/v2/partners/NEW-1', { name: 'Brandnew', roles: ['customer'] });
    expect(idsOf(await find('/v2/partners', { q: 'brandn' }), 'code')).toEqual(['NEW-1']);
    await must('PUT', '/v2/partners/NEW-1', { name: 'Renamed', roles: ['customer'] });
    expect((await find('/v2/partners', { q: 'brandn' })).items).toEqual([]);
  });

  it('finds nothing of another organization', async () => {
    const other = await newOrganization(service.db);
    for (const path of ['/v2/orders', '/v2/products', '/v2/partners', '/v2/stock/holds', '/v2/audit']) {
      const answer = await service.api.call<Page>('GET', `${path}?q=qx`, undefined, other.key);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.data.items).toEqual([]);
    }
  });

  it('finds the audit entries of a document by its number', async () => {
    for (const q of ['SO-QX-1076', 'qx-1076']) {
      const { items, total } = await find('/v2/audit', { q, count: 'true' });
      expect(items.map((entry) => [entry.entityType, entry.entityId])).toEqual([['order', ids.order]]);
      expect(items[0]?.entityName).toBe('SO-QX-1076');
      expect(total).toEqual({ count: 1, isExact: true });
    }
    expect((await find('/v2/audit', { q: 'SO-QX-1076', action: 'order.approve' })).items).toEqual([]);
  });

  it('finds a key by a part of its name, its id or the address of its owner', async () => {
    const read = (q: string) =>
      service.api.call<Page>('GET', `/v2/settings/keys?q=${q}`, undefined, undefined, admin.headers);
    const [key] = (await read('@')).data.items;
    for (const text of [key?.name, key?.keyId, key?.owner]) {
      const found = await read(encodeURIComponent((text ?? '').slice(1).toUpperCase()));
      expect(idsOf(found.data, 'keyId')).toContain(key?.keyId);
    }
    expect((await read('no-such-key')).data.items).toEqual([]);
  });

  it('finds a user by a part of the address', async () => {
    const read = (q: string) =>
      service.api.call<Page>('GET', `/v2/settings/users?q=${q}`, undefined, undefined, admin.headers);
    const [first] = (await read('@')).data.items;
    const part = (first?.email ?? '').slice(1, 5).toUpperCase();
    expect(idsOf((await read(part)).data, 'email')).toContain(first?.email);
    expect((await read('nobody-at-all')).data.items).toEqual([]);
  });
});

describe('the total of a list', () => {
  it('counts what the filters leave, on the first page only', async () => {
    for (const code of ['C-1', 'C-2', 'C-3'])
      await must('PUT', `/v2/products/${code}`, { productName: 'Counted', riskClass: 'II' });
    const query = { q: 'counted', count: 'true', limit: '2' };
    const first = await find('/v2/products', query);
    expect([first.items.length, first.total]).toEqual([2, { count: 3, isExact: true }]);
    const second = await find('/v2/products', { ...query, cursor: first.nextCursor ?? '' });
    expect([second.items.length, second.total]).toEqual([1, undefined]);
    expect((await find('/v2/products', { ...query, riskClass: 'III' })).total).toEqual({
      count: 0,
      isExact: true,
    });
    expect((await find('/v2/products', { q: 'counted' })).total).toBeUndefined();
  });

  it.each([
    ...['/v2/orders', '/v2/receipts', '/v2/dispatches', '/v2/partners', '/v2/warehouses', '/v2/certificates'],
    ...['/v2/recalls', '/v2/stock/holds', '/v2/environment/alerts', '/v2/environment/points', '/v2/webhooks'],
    ...['/v2/audit', '/v2/quality/nonconformities', '/v2/quality/dispositions'],
  ])('%s counts what it lists', async (path) => {
    let { items, nextCursor, total } = await find(path, { count: 'true', limit: '200' });
    let read = items.length;
    while (nextCursor !== null) {
      ({ items, nextCursor } = await find(path, { limit: '200', cursor: nextCursor }));
      read += items.length;
    }
    expect(total).toEqual({ count: read, isExact: true });
  });

  it('of certificates counts those with a status that depends on the day', async () => {
    const listed = await find('/v2/certificates', { status: 'valid', count: 'true', limit: '200' });
    expect(listed.items.length).toBeGreaterThan(0);
    expect(listed.total?.count).toBe(listed.items.length);
  });
});

describe('a list in another order', () => {
  const walk = async (path: string, id: string, query: Record<string, string>) => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await find(path, { ...query, limit: '2', ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.items.map((item) => item[id] ?? ''));
      cursor = page.nextCursor;
    } while (cursor !== null);
    return seen;
  };

  it.each<[path: string, id: string, sort: string, value: string]>([
    ['/v2/orders', 'orderId', 'orderNo', 'orderNo'],
    ['/v2/orders', 'orderId', 'createdAt', 'orderId'],
    ['/v2/orders', 'orderId', 'updatedAt', 'updatedAt'],
    ['/v2/receipts', 'receiptId', 'receiptNo', 'receiptNo'],
    ['/v2/products', 'productCode', 'productName', 'productName'],
    ['/v2/products', 'productCode', 'productCode', 'productCode'],
    ['/v2/partners', 'code', 'name', 'name'],
    ['/v2/stock/holds', 'holdId', 'createdAt', 'holdId'],
  ])('%s by %s and %s reads every row once, up and down', async (path, id, sort, value) => {
    const all = (await find(path, { limit: '200' })).items;
    const up = await walk(path, id, { sort });
    const down = await walk(path, id, { sort: `-${sort}` });
    expect([...up].sort()).toEqual(all.map((item) => item[id]).sort());
    expect(down).toEqual([...up].reverse());
    const known = new Map(all.map((item) => [item[id], item[value] ?? '']));
    const values = up.map((each) => known.get(each) ?? '');
    expect(values.every((each, at) => at === 0 || (values[at - 1] ?? '') <= each)).toBe(true);
  });

  it('goes on after a name of the greatest length', async () => {
    for (const code of ['LONG-1', 'LONG-2'])
      await must('PUT', `/v2/products/${code}`, { productName: '长'.repeat(300) });
    expect(await walk('/v2/products', 'productCode', { q: '长长', sort: 'productName' })).toEqual([
      'LONG-1',
      'LONG-2',
    ]);
  });

  it('refuses a cursor of another order, and an order that it does not have', async () => {
    const { nextCursor } = await find('/v2/products', { sort: 'productName', limit: '1' });
    for (const sort of ['-productName', 'updatedAt', 'productCode']) {
      const refused = await service.call('GET', `/v2/products?sort=${sort}&cursor=${nextCursor}`);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('bad_cursor')]);
    }
    expect((await service.call('GET', '/v2/products?sort=manufacturer')).status).toBe(400);
  });
});
