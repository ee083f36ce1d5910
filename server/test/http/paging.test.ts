import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toLoopback } from '../access/pushes.js';
import { GTIN, openTestService, sized } from '../harness/index.js';

interface PageData {
  items: Record<string, unknown>[];
  nextCursor: string | null;
}

let service: Awaited<ReturnType<typeof openTestService>>;
/** Its pushes are listed. */
let webhookId: string;
/** It has no stock when it gets a safety stock: an event. */
const product = async (code: string, productName: string) => {
  for (const safetyStock of [0, 9])
    await service.call('PUT', `/v2/products/${code}`, { productName, tracking: 'none', safetyStock });
};
const webhook = async () => {
  const body = { callbackUrl: 'http://127.0.0.1:9/hooks', eventTypes: ['inventory.low_stock'] };
  return (await service.call<{ webhookId: string }>('POST', '/v2/webhooks', body)).data.webhookId;
};
const adjust = (productCode: string, n: number) =>
  service.call('POST', '/v2/stock/adjustments', {
    productCode,
    warehouse: 'WH-1',
    quantityDelta: n,
    expiryDate: null,
    reason: 'count',
  });
const partner = (code: string) =>
  service.call('PUT', `/v2/partners/${code}`, { name: 'A customer', roles: ['customer'] });
const productInStock = async (code: string) => {
  await product(code, 'In stock');
  await adjust(code, 1);
};
const threeDigits = (n: number) => String(n).padStart(3, '0');
beforeAll(async () => {
  service = await openTestService({ webhooks: toLoopback });
  webhookId = await webhook();
  // Every second number is left for later inserts.
  const make = async (code: string) => {
    await productInStock(code);
    await webhook();
    await partner(code);
  };
  await Promise.all(Array.from({ length: 60 }, (_, i) => make(`P-${threeDigits(i * 2)}`)));
});
afterAll(() => service.close());

const DELIVERIES = '/v2/webhooks/{webhookId}/deliveries';
const located = (path: string) => path.replace('{webhookId}', webhookId);

const page = async (path: string, query: Record<string, string>) => {
  const answer = await service.call<PageData>('GET', `${located(path)}?${new URLSearchParams(query)}`);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return answer.data;
};

/** The whole list, page by page, with something done between the pages. */
async function walk(
  path: string,
  id: string,
  limit: number,
  between: (round: number) => Promise<unknown> = async () => {},
  query: Record<string, string> = {},
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let round = 0; ; round++) {
    const data: PageData = await page(path, {
      ...query,
      limit: String(limit),
      ...(cursor === null ? {} : { cursor }),
    });
    expect(data.items.length).toBeLessThanOrEqual(limit);
    seen.push(...data.items.map((item) => String(item[id])));
    cursor = data.nextCursor;
    if (cursor === null) return seen;
    expect(data.items).toHaveLength(limit);
    await between(round);
  }
}

/** Pages after each of which others write three records. */
const WRITES = sized(3, 6);

describe('a list read page by page', () => {
  /** With the write that adds to the list. */
  const lists: [
    path: string,
    id: string,
    query: Record<string, string>,
    add: (code: string) => Promise<unknown>,
  ][] = [
    ['/v2/products', 'productCode', {}, (code) => product(code, 'Late')],
    ['/v2/partners', 'code', {}, partner],
    ['/v2/inventory', 'productCode', { warehouse: 'WH-1' }, productInStock],
    ['/v2/stock/movements', 'movementId', {}, productInStock],
    ['/v2/audit', 'entryId', { entityType: 'partner' }, partner],
    ['/v2/webhooks', 'webhookId', {}, webhook],
    [DELIVERIES, 'deliveryId', {}, (code) => product(code, 'Late')],
    [
      DELIVERIES,
      'eventId',
      { eventType: 'inventory.low_stock', status: 'pending' },
      (code) => product(code, 'Late'),
    ],
  ];

  it.each(lists)('%s shows what it shows in one page, in the same order', async (path, id, query) => {
    const whole = await walk(path, id, 200, undefined, query);
    expect(whole.length).toBeGreaterThanOrEqual(60);
    expect(new Set(whole).size).toBe(whole.length);
    for (const limit of [7, whole.length]) {
      if (limit <= 200) expect(await walk(path, id, limit, undefined, query)).toEqual(whole);
    }
  });

  it.each(lists)(
    '%s skips and repeats nothing that existed throughout, while others write',
    async (path, id, query, add) => {
      const before = await walk(path, id, 200, undefined, query);
      let last = 1;
      const write = async () => {
        // New records appear before, at and after the reader's position.
        const codes = [last, 60 + last, 118 - last].map((n) => `P-${threeDigits(n)}-${id}`);
        last += 2;
        await Promise.all(codes.map(add));
      };
      const seen = await walk(path, id, 9, (round) => (round < WRITES ? write() : Promise.resolve()), query);
      expect(new Set(seen).size).toBe(seen.length);
      const after = await walk(path, id, 200, undefined, query);
      expect(after.length).toBeGreaterThanOrEqual(before.length + 3 * WRITES);
      const existed = new Set(before);
      expect(seen.filter((each) => existed.has(each))).toEqual(before);
    },
  );
});

describe('limits', () => {
  it.each(['0', '-1', '201', '1.5', 'ten', '', '1e9', 'null'])('limit=%s is refused', async (limit) => {
    const answer = await service.call('GET', `/v2/products?limit=${limit}`);
    expect([answer.status, answer.json.errors[0]?.path]).toEqual([400, 'limit']);
  });

  it('1 and 200 are allowed, and 50 is the default', async () => {
    expect((await page('/v2/products', { limit: '1' })).items).toHaveLength(1);
    expect((await page('/v2/products', { limit: '200' })).items.length).toBeGreaterThan(50);
    expect((await page('/v2/products', {})).items).toHaveLength(50);
  });

  it('a page that ends exactly at the end has no cursor', async () => {
    const data = await page('/v2/products', { productCode: GTIN, limit: '1' });
    expect(data).toMatchObject({ items: [{ productCode: GTIN }], nextCursor: null });
  });
});

describe('cursors', () => {
  const cursorOf = async (path: string, query: Record<string, string> = {}) =>
    String((await page(path, { ...query, limit: '1' })).nextCursor);
  const refused = async (path: string, cursor: string) => {
    const answer = await service.call(
      'GET',
      `${located(path)}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`,
    );
    expect([cursor, answer.status, answer.json.errors]).toEqual([
      cursor,
      400,
      [{ path: 'cursor', reason: 'bad_cursor', message: 'the cursor was not issued by this list' }],
    ]);
  };

  it('one list does not take the cursor of another', async () => {
    const paths = ['/v2/products', '/v2/partners', '/v2/warehouses', '/v2/stock/movements', '/v2/audit'];
    paths.push('/v2/webhooks', DELIVERIES);
    for (const from of paths) {
      const cursor = await cursorOf(from);
      for (const to of [...paths, '/v2/stock/holds', '/v2/inventory?warehouse=WH-1'])
        if (to !== from) await refused(to, cursor);
    }
  });

  it('an altered one is refused', async () => {
    const cursor = await cursorOf('/v2/products');
    const of = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const mangled = [
      '',
      'x',
      '!!!',
      cursor.slice(0, -1),
      cursor.slice(1),
      `${cursor}=`,
      `${cursor}x`,
      `${cursor} `,
      ` ${cursor}`,
      `${cursor.slice(0, 4)}!${cursor.slice(4)}`,
      cursor + cursor,
      of(null),
      of({}),
      of('products'),
      of(['products']),
      of(['products', 1]),
      of(['products', null]),
      of(['products', 'A', 'B']),
      of(['products', 'A\u0000']),
      of(['products', 'x'.repeat(301)]),
      Buffer.from('["products", "A"]').toString('base64url'),
      Buffer.from('["products","\\ud800"]').toString('base64url'),
      Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]).toString('base64url'),
    ];
    for (const each of mangled) await refused('/v2/products', each);
    for (const place of ['x', '-1', '1.5', '9007199254740993', 'Infinity'])
      await refused(DELIVERIES, of(['deliveries', place]));
  });

  it('one that is too long is refused', async () => {
    const answer = await service.call('GET', `/v2/products?cursor=${'x'.repeat(3_073)}`);
    expect([answer.status, answer.reason]).toEqual([400, 'bad_length']);
  });
});
