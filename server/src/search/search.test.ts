import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, newOrganization, openTestService, stockCatalogue } from '../../test/harness/index.js';
import { takeHeads } from '../indexing/entry.store.js';
import { fillEverywhere, indexEverywhere, KINDS } from '../indexing/index.js';
import { type Tx, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { searchSources } from './source.store.js';

interface Item {
  kind: string;
  id: string;
  productCode: string | null;
  title: string;
  subtitle: string | null;
  matched: string | null;
  status: string | null;
}
interface Results {
  items: Item[];
  hasMore: boolean;
}

let service: Awaited<ReturnType<typeof openTestService>>;
const ids: Record<string, string> = {};
beforeAll(async () => {
  service = await openTestService({ alone: true });
  await furnish();
});
afterAll(() => service.close());

async function must<D = Record<string, string>>(
  method: string,
  path: string,
  body?: object,
  key = service.org.key,
): Promise<D> {
  const answer = await service.call<D>(method, path, body, key);
  expect(answer.status, `${path} ${answer.text}`).toBe(200);
  return answer.data;
}
const post = (path: string, body: object, key?: string) =>
  must<Record<string, string>>('POST', path, body, key);
const search = (q: string, key?: string) =>
  must<Results>('GET', `/v2/search?q=${encodeURIComponent(q)}`, undefined, key);
const found = async (q: string, key?: string) =>
  (await search(q, key)).items.map(({ kind, id }) => `${kind} ${id}`);

const order = (orderNo: string, key?: string) =>
  post(
    '/v2/orders',
    {
      ...{ orderNo, customerCode: 'HOSP-1', warehouse: 'WH-1', currency: 'EUR' },
      lines: [{ lineNo: 1, productCode: GTIN, quantity: 1, unitPrice: '1' }],
    },
    key,
  );
const stock = (productCode: string, batchNo: string, serials?: string[]) =>
  post('/v2/stock/adjustments', {
    ...{ productCode, warehouse: 'WH-1', batchNo, expiryDate: '2030-01-01', reason: 'count' },
    ...(serials ? { quantityDelta: serials.length, serials } : { quantityDelta: 9 }),
  });

async function furnish(): Promise<void> {
  await must('PUT', '/v2/products/ZJ-100', {
    ...{ productName: '冠状动脉支架 Ｘ-Line', tracking: 'batch', model: 'XL/20%', specification: "3.0'mm" },
    ...{ registrationNo: '国械注准20263130001', udiDi: '06901234560008' },
  });
  await must('PUT', '/v2/partners/HOSP-9', { name: '北京协和医院', roles: ['customer'] });
  await stock(GTIN, 'LOT-A77');
  await stock('PUMP-1', 'LOT-P1', ['SN-0001', 'SN-0002']);
  ids.order = (await order('SO-2026-00417')).orderId as string;
  await post(`/v2/orders/${ids.order}/approve`, {});
  ids.dispatch = (await post('/v2/dispatches', { orderId: ids.order })).dispatchId as string;
  const receipt = {
    ...{ receiptNo: 'GR-8801', supplierCode: 'SUP-1', warehouse: 'WH-1', purchaseOrderNo: 'PO-5512' },
    lines: [{ lineNo: 1, productCode: GTIN, batchNo: 'LOT-A78', expiryDate: '2030-01-01', quantity: 4 }],
  };
  ids.receipt = (await post('/v2/receipts', receipt)).receiptId as string;
  const certificate = {
    ...{ certificateNo: 'LIC-沪-0042', type: 'licence', subjectType: 'supplier', subjectCode: 'SUP-1' },
    ...{ issuer: 'Office', validFrom: '2026-01-01', validTo: '2026-11-20' },
  };
  ids.certificate = (await post('/v2/certificates', certificate)).certificateId as string;
  const webhook = { callbackUrl: 'https://erp.example.com/hooks', eventTypes: ['order.status_changed'] };
  ids.webhook = (await post('/v2/webhooks', { ...webhook, description: 'ERP of Shanghai' }))
    .webhookId as string;
}

describe('finds', () => {
  it.each<[what: string, q: string, expected: string[]]>([
    ['an order and its dispatch by part of the number', '0417', ['dispatch $dispatch', 'order $order']],
    ['them in any case', 'so-2026-00417', ['dispatch $dispatch', 'order $order']],
    ['a receipt by its number', 'GR-8801', ['receipt $receipt']],
    ['a receipt by part of its purchase order', 'o-551', ['receipt $receipt']],
    ['a product by part of its code', 'j-10', ['product ZJ-100']],
    ['a product by two Chinese characters', '支架', ['product ZJ-100']],
    ['a product by one Chinese character at the beginning', '冠', ['product ZJ-100']],
    ['a product by part of its name, in any width and case', 'x-LINE', ['product ZJ-100']],
    ['a product by its registration number', '20263130001', ['product ZJ-100']],
    ['a product by its device identifier', '0690123456000', ['product ZJ-100']],
    ['a product by several words in any order', 'stent coronary', [`product ${GTIN}`]],
    ['a batch', 'lot-a7', ['batch LOT-A77']],
    ['a serial number', 'sn-0002', ['serial SN-0002']],
    ['a partner by name', '协和', ['partner HOSP-9']],
    ['a partner by code', 'hosp-9', ['partner HOSP-9']],
    ['a certificate', 'lic-沪', ['certificate $certificate']],
    ['a webhook by its description', 'shanghai', ['webhook $webhook']],
    ['a webhook by its address', 'erp.example.com', ['webhook $webhook']],
    ['a percent sign', '20%', ['product ZJ-100']],
    ['a quote', "3.0'mm", ['product ZJ-100']],
    ['nothing by a wildcard', 'so%417', []],
    ['nothing by an underscore', 'lot_a77', []],
    ['nothing by a backslash', '\\', []],
    ['nothing where only the grams match', '2026-2026-0', []],
    ['nothing by part of an id', 'ord_0', []],
  ])('%s', async (_what, q, expected) => {
    const named = expected.map((each) => each.replace(/\$(\w+)/, (_, name: string) => ids[name] ?? ''));
    expect((await found(q)).sort()).toEqual(named.sort());
  });

  it('a record by its whole id', async () => {
    expect(await found(ids.order as string)).toEqual([`order ${ids.order}`]);
    expect(await found((ids.webhook as string).toUpperCase())).toEqual([`webhook ${ids.webhook}`]);
  });

  it('shows what a record is, and its status of now', async () => {
    expect((await search('SO-2026-00417')).items.find(({ kind }) => kind === 'order')).toEqual({
      ...{ kind: 'order', id: ids.order, productCode: null, title: 'SO-2026-00417' },
      ...{ subtitle: 'City hospital', status: 'approved', matched: null },
    });
    expect((await search('LIC-沪')).items).toMatchObject([{ subtitle: 'Acme Devices', status: 'expiring' }]);
    expect((await search('LOT-A77')).items).toMatchObject([{ productCode: GTIN, status: null }]);
  });

  it('shows the number that matched where neither title nor subtitle has it', async () => {
    const matched = async (q: string) => (await search(q)).items.map((item) => item.matched);
    expect(await matched('2026313')).toEqual(['国械注准20263130001']);
    expect(await matched('o-551')).toEqual(['PO-5512']);
    expect(await matched('ZJ-100')).toEqual([null]);
    expect(await matched('协和')).toEqual([null]);
  });

  it('the unit, batch and product of a scanned code', async () => {
    await stock('ZJ-100', 'B-55');
    const scanned = [']d2010690123456000817300101\u001d10B-55', '(01)06901234560008(17)300101(10)B-55'];
    for (const code of scanned) expect(await found(code)).toEqual(['batch B-55', 'product ZJ-100']);
    await must('PUT', '/v2/products/PUMP-2', {
      ...{ productName: 'Pump', tracking: 'serial', udiDi: 'A999PUMP20' },
    });
    await stock('PUMP-2', 'LOT-9', ['SN-9']);
    // A plus sign as it is: HIBC codes begin with one.
    const { items } = await must<Results>('GET', '/v2/search?q=+A999PUMP20A');
    expect(items.slice(0, 1)).toMatchObject([{ kind: 'product', id: 'PUMP-2' }]);
  });
});

it('puts the whole number first, then beginnings, then any part, the newest first', async () => {
  const { key } = await newWorld();
  const made: string[] = [];
  for (const no of ['X-77-B', '77-A', 'X-77-A', '77', '77-B'])
    made.push((await order(no, key)).orderId as string);
  const { items } = await search('77', key);
  expect(items.map(({ title }) => title)).toEqual(['77', '77-B', '77-A', 'X-77-A', 'X-77-B']);
  expect(items.map(({ id }) => id).sort()).toEqual(made.sort());
});

it('returns at most 20, the best of them, and says that there are more', async () => {
  const { key } = await newWorld();
  await order('BULK', key);
  for (let i = 0; i < 21; i++) await order(`A-BULK-${i}`, key);
  const { items, hasMore } = await search('bulk', key);
  expect([items.length, hasMore, items[0]?.title]).toEqual([20, true, 'BULK']);
  expect(await search('a-bulk-20', key)).toMatchObject({ items: [{ title: 'A-BULK-20' }], hasMore: false });
});

it('shows some of each kind before more of any', async () => {
  await order('SO-5107-A');
  const serials = Array.from({ length: 25 }, (_, n) => `N5107-${n}`);
  service.db.clock.advance(1_000);
  await stock('PUMP-1', 'LOT-5107', serials);
  const { items, hasMore } = await search('5107');
  expect([items.length, hasMore]).toEqual([20, true]);
  expect(
    items
      .slice(0, 7)
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(['batch', 'order', ...Array(5).fill('serial')]);
});

it('finds a product by its new name and no longer by the old one', async () => {
  await must('PUT', '/v2/products/REN-1', { productName: 'Formerly', tracking: 'none' });
  expect(await found('formerly')).toEqual(['product REN-1']);
  await must('PUT', '/v2/products/REN-1', { productName: 'Nowadays', tracking: 'none' });
  expect(await found('nowadays')).toEqual(['product REN-1']);
  expect(await found('formerly')).toEqual([]);
});

it('does not find a deleted webhook', async () => {
  const body = { callbackUrl: 'https://gone.example.com/', eventTypes: ['expiry.warning'] };
  const { webhookId } = await post('/v2/webhooks', body);
  expect(await found('gone.example')).toEqual([`webhook ${webhookId}`]);
  await must('DELETE', `/v2/webhooks/${webhookId}`);
  expect(await found('gone.example')).toEqual([]);
});

it('shows the records of other organizations to nobody', async () => {
  const { key } = await newWorld();
  await order('SO-2026-00417', key);
  const [only, ...others] = (await search('2026-00417', key)).items;
  expect([only?.kind, others]).toEqual(['order', []]);
  expect(only?.id).not.toBe(ids.order);
  expect(await found('协和', key)).toEqual([]);
  expect(await found(ids.webhook as string, key)).toEqual([]);
});

it.each([
  ['orders:read', ['order']],
  ['receipts:read', ['receipt']],
  ['dispatches:read', ['dispatch']],
  ['products:read', ['partner', 'product']],
  ['inventory:read', ['batch', 'serial']],
  ['certificates:read', ['certificate']],
  ['webhooks:read', ['webhook']],
  ['settings:read', []],
] as const)('shows to a key with %s only what it may read', async (scope, kinds) => {
  const { apiKey } = await service.org.newKey({ scopes: [scope] });
  const queries = ['00417', 'gr-88', 'zj-100', 'lot-', 'sn-', 'hosp', 'lic-', 'erp'];
  const seen = new Set<string>();
  for (const q of queries) for (const { kind } of (await search(q, apiKey)).items) seen.add(kind);
  expect([...seen].sort()).toEqual(kinds);
});

it('refuses a missing, empty or long query, and credentials bound to a customer', async () => {
  for (const query of ['', '?q=', `?q=${'a'.repeat(513)}`, '?q=a&limit=5'])
    expect((await service.call('GET', `/v2/search${query}`)).status, query).toBe(400);
  expect((await search('  ')).items).toEqual([]);
  const { apiKey } = await service.org.newKey({ scopes: ['orders:read'], customerCode: 'HOSP-1' });
  expect((await service.call('GET', '/v2/search?q=so', undefined, apiKey)).status).toBe(403);
});

it('enters the records of before there was a search once, also while new ones come', async () => {
  const { key, orgId } = await newWorld();
  const old = (await order('OLD-1', key)).orderId;
  for (const table of ['search_marks', 'search_entries', 'search_heads'])
    await service.db.sql(`delete from ${table} where org_id = $1`, [orgId]);
  expect(await found('old-1', key)).toEqual([]);
  service.db.clock.advance(1_000);
  const recent = (await order('OLD-2', key)).orderId;
  await search('old', key);
  await fillEverywhere(service.db.database, searchSources);
  await fillEverywhere(service.db.database, searchSources);
  expect(await found('old-', key)).toEqual([`order ${recent}`, `order ${old}`]);
  const heads = await service.db.sql<{ kind: string; position: number; filled: boolean }>(
    'select kind, position::integer, filled_at is not null as filled from search_heads where org_id = $1',
    [orgId],
  );
  expect(heads.map(({ filled }) => filled)).toEqual(KINDS.map(() => true));
  expect(heads.find(({ kind }) => kind === 'order')?.position).toBe(2);
});

describe('while somebody else enters records', () => {
  /** Does the work while the entries of an organization are locked, as by a worker that enters some. */
  const whileEntering = (orgId: string, work: (tx: Tx) => Promise<void>) =>
    transact(service.db.database, systemPrincipal(orgId, 'somebody@test.example'), async (tx) => {
      await takeHeads(tx, KINDS);
      await work(tx);
    });
  const isAwaited = async () => (await service.db.waiting()).length > 0;

  it('waits for them: it finds what was written before it', async () => {
    const { key, orgId } = await newWorld();
    await order('EARLIER', key);
    expect(await found('earlier', key)).toHaveLength(1);
    const { orderId } = await order('JUST-1', key);
    let finding: Promise<string[]> | undefined;
    await whileEntering(orgId, async () => {
      finding = found('JUST-1', key);
      let hasEnded = false;
      finding.finally(() => {
        hasEnded = true;
      });
      await expect.poll(async () => hasEnded || (await isAwaited())).toBe(true);
    });
    expect(await finding).toEqual([`order ${orderId}`]);
  });

  it('answers without them in the end, and says that there may be more', async () => {
    const { key, orgId } = await newWorld();
    await order('JUST-2', key);
    await whileEntering(orgId, async () => {
      expect(await search('JUST-2', key)).toEqual({ items: [], hasMore: true });
    });
  });

  it('a worker leaves an organization to another that enters its records just then, and takes the next one', async () => {
    const busy = await newWorld();
    const other = await newWorld();
    await order('LEFT-1', busy.key);
    await order('LEFT-2', other.key);
    await whileEntering(busy.orgId, () => indexEverywhere(service.db.database, searchSources));
    const marked = await service.db.sql<{ orgId: string }>(
      'select distinct org_id as "orgId" from search_marks where org_id = any($1)',
      [[busy.orgId, other.orgId]],
    );
    expect(marked).toEqual([{ orgId: busy.orgId }]);
  });
});

it('is indexed by a worker where nobody searches, and by several at once without a gap', async () => {
  const { key, orgId } = await newWorld();
  for (let i = 0; i < 5; i++) await order(`W-${i}`, key);
  const index = () => indexEverywhere(service.db.database, searchSources);
  await Promise.all([index(), index(), search('w-', key)]);
  const [row] = await service.db.sql<{ marks: number; positions: number[] }>(
    `select (select count(*)::integer from search_marks where org_id = $1) as marks,
       array(select position::integer from search_entries where org_id = $1 and kind = 'order' order by position) as positions`,
    [orgId],
  );
  expect(row).toEqual({ marks: 0, positions: [1, 2, 3, 4, 5] });
});

async function newWorld() {
  const org = await newOrganization(service.db);
  await stockCatalogue(service.api, org.key);
  return { key: org.key, orgId: org.organization.orgId };
}
