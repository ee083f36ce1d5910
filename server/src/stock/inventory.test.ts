import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, newOrganization, openTestService, stockCatalogue } from '../../test/harness/index.js';

interface Inventory {
  productCode: string;
  warehouse: string;
  totalQuantity: number;
  availableQuantity: number;
  reservedQuantity: number;
  blockedQuantity: number;
  batches: {
    batchNo: string;
    expiryDate: string | null;
    quantity: number;
    availableQuantity: number;
    reservedQuantity: number;
    blockedQuantity: number;
  }[];
  byWarehouse?: Inventory[];
}
interface Page {
  items: Inventory[];
  nextCursor: string | null;
}

const record = (
  warehouse: string,
  [total, available, reserved, blocked]: readonly [number, number, number, number],
  batches: readonly [string, string | null, quantity: number, reserved?: number, blocked?: number][],
) => ({
  productCode: GTIN,
  productName: 'Coronary stent 3.0×18',
  warehouse,
  totalQuantity: total,
  availableQuantity: available,
  reservedQuantity: reserved,
  blockedQuantity: blocked,
  batches: batches.map(([batchNo, expiryDate, quantity, inOrders = 0, notForSale = 0]) => ({
    batchNo,
    expiryDate,
    quantity,
    availableQuantity: quantity - inOrders - notForSale,
    reservedQuantity: inOrders,
    blockedQuantity: notForSale,
  })),
});

describe('the inventory query', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  const adjust = async (body: object, key?: string) => {
    const answer = await service.call('POST', '/v2/stock/adjustments', { reason: 'count', ...body }, key);
    if (answer.status !== 200) throw new Error(answer.text);
  };
  const hold = async (body: object) => {
    const answer = await service.call('POST', '/v2/stock/holds', { reason: 'damp', ...body });
    if (answer.status !== 200) throw new Error(answer.text);
  };
  const query = <D = Inventory>(text: string, key?: string) =>
    service.call<D>('GET', `/v2/inventory${text}`, undefined, key);

  beforeAll(async () => {
    service = await openTestService();
    const stock = (batchNo: string, expiryDate: string | null, quantityDelta: number, warehouse = 'WH-1') =>
      adjust({ productCode: GTIN, warehouse, batchNo, expiryDate, quantityDelta });
    await stock('A', '2028-01-01', 7);
    await stock('B2', '2029-01-01', 5);
    await stock('B1', '2029-01-01', 6);
    await stock('B2', '2029-01-01', 2, 'WH-2');
    await stock('C', null, 1);
    await stock('D', '2026-11-15', 3);
    await stock('E', '2026-11-14', 4);
    await stock('E', '2026-11-14', 1, 'WH-2');
    await stock('GONE', '2030-01-01', 9);
    await stock('GONE', '2030-01-01', -9);
    await hold({ productCode: GTIN, batchNo: 'A', quantity: 2 });
    await hold({ productCode: GTIN, batchNo: 'B1' });
    // A hold on what has expired blocks nothing twice.
    await hold({ productCode: GTIN, batchNo: 'E', warehouse: 'WH-1', quantity: 3 });
    await service.db.sql(`update balances set reserved = 2 where batch_no = 'B2' and warehouse = 'WH-1'`);
    // Reserved before it expired: now it only counts as blocked.
    await service.db.sql(`update balances set reserved = 1 where batch_no = 'E' and warehouse = 'WH-2'`);
    await adjust({ productCode: 'GLOVE-1', warehouse: 'WH-1', quantityDelta: 40 });
  });
  afterAll(() => service.close());

  const inFirst = record(
    'WH-1',
    [26, 12, 2, 12],
    [
      ['C', null, 1],
      ['B1', '2029-01-01', 6, 0, 6],
      ['B2', '2029-01-01', 5, 2],
      ['A', '2028-01-01', 7, 0, 2],
      ['D', '2026-11-15', 3],
      ['E', '2026-11-14', 4, 0, 4],
    ],
  );
  const inSecond = record(
    'WH-2',
    [3, 2, 0, 1],
    [
      ['B2', '2029-01-01', 2],
      ['E', '2026-11-14', 1, 0, 1],
    ],
  );

  it('returns product and warehouse with one record: no expiry first, then the latest, then by number', async () => {
    const answer = await query(`?productCode=${GTIN}&warehouse=WH-1`);
    expect(answer.json).toEqual({ code: 0, message: 'success', data: inFirst });
    expect(answer.status).toBe(200);
  });

  it('returns a product alone with the sum over its warehouses, batches merged, and each of them', async () => {
    const { data } = await query(`?productCode=${GTIN}`);
    expect(data).toEqual({
      ...record(
        '*',
        [29, 14, 2, 13],
        [
          ['C', null, 1],
          ['B1', '2029-01-01', 6, 0, 6],
          ['B2', '2029-01-01', 7, 2],
          ['A', '2028-01-01', 7, 0, 2],
          ['D', '2026-11-15', 3],
          ['E', '2026-11-14', 5, 0, 5],
        ],
      ),
      byWarehouse: [inFirst, inSecond],
    });
  });

  it('returns a warehouse alone with a page of the records that have stock, in product-code order', async () => {
    const { data } = await query<Page>('?warehouse=WH-1');
    const gloves = {
      ...record('WH-1', [40, 40, 0, 0], [['', null, 40]]),
      productCode: 'GLOVE-1',
      productName: 'Gloves',
    };
    expect(data).toEqual({ items: [inFirst, gloves], nextCursor: null });
    expect((await query<Page>('?warehouse=WH-2')).data.items).toEqual([inSecond]);
  });

  it('refuses a question that names neither', async () => {
    const answer = await query('');
    expect([answer.status, answer.code, answer.reason]).toEqual([400, 1001, 'required']);
    expect((await query('?limit=5')).status).toBe(400);
  });

  it('refuses paging where there is one answer, unknown parameters, and codes that can be none', async () => {
    const refusals = [
      [`?productCode=${GTIN}&limit=5`, 'unknown_parameter'],
      [`?productCode=${GTIN}&warehouse=WH-1&cursor=x`, 'unknown_parameter'],
      [`?productcode=${GTIN}`, 'unknown_parameter'],
      ['?warehouse=WH-1&limit=0', 'out_of_range'],
      ['?warehouse=WH-1&limit=201', 'out_of_range'],
      ['?warehouse=WH-1&cursor=nonsense', 'bad_cursor'],
      ['?productCode=', 'bad_length'],
      [`?productCode=${'x'.repeat(65)}`, 'bad_length'],
      [`?productCode=${GTIN}&productCode=GLOVE-1&limit=5`, 'unknown_parameter'],
      ['?warehouse=WH-1&warehouse=WH-2', 'wrong_type'],
    ] as const;
    for (const [text, reason] of refusals) {
      const answer = await query(text);
      expect([text, answer.status, answer.reason]).toEqual([text, 400, reason]);
    }
  });

  it('returns zeros for a known product without stock, and an empty page for an empty warehouse', async () => {
    const zeros = {
      ...record('WH-2', [0, 0, 0, 0], []),
      productCode: 'PUMP-1',
      productName: 'Infusion pump',
    };
    expect((await query('?productCode=PUMP-1&warehouse=WH-2')).data).toEqual(zeros);
    expect((await query('?productCode=PUMP-1')).data).toEqual({ ...zeros, warehouse: '*', byWarehouse: [] });
    await service.call('PUT', '/v2/warehouses/EMPTY', { name: 'Empty' });
    expect((await query('?warehouse=EMPTY')).data).toEqual({ items: [], nextCursor: null });
  });

  it('returns 404 for an unknown product, an unknown warehouse and those of another organization', async () => {
    const stranger = await newOrganization(service.db);
    await service.call('PUT', '/v2/warehouses/THEIRS', { name: 'Theirs' }, stranger.key);
    await service.call('PUT', '/v2/products/THEIRS', { productName: 'Theirs' }, stranger.key);
    for (const [text, ...paths] of [
      ['?productCode=NOPE&warehouse=WH-1', 'productCode'],
      ['?productCode=NOPE', 'productCode'],
      [`?productCode=${GTIN}&warehouse=NOPE`, 'warehouse'],
      [`?productCode=${GTIN}&warehouse=*`, 'warehouse'],
      ['?productCode=NOPE&warehouse=NOPE', 'productCode', 'warehouse'],
      ['?warehouse=NOPE', 'warehouse'],
      ['?productCode=THEIRS', 'productCode'],
      ['?warehouse=THEIRS', 'warehouse'],
      [`?productCode=${GTIN}&warehouse=THEIRS`, 'warehouse'],
    ] as const) {
      const { status, json } = await query(text);
      const { requestId, ...body } = json;
      expect([text, status, body]).toEqual([
        text,
        404,
        {
          code: 1004,
          message: 'resource does not exist',
          data: null,
          errors: paths.map((path) => ({ path, reason: 'not_found', message: expect.any(String) })),
        },
      ]);
      expect(requestId).toBeTruthy();
    }
    // The same codes in another organization are other things.
    await stockCatalogue(service.api, stranger.key);
    expect((await query(`?productCode=${GTIN}`, stranger.key)).data).toMatchObject({ totalQuantity: 0 });
  });

  it('pages a warehouse without skipping or repeating while other products come and go', async () => {
    await service.call('PUT', '/v2/warehouses/PAGED', { name: 'Paged' });
    const codes = Array.from({ length: 23 }, (_, i) => `PAGE-${String(i).padStart(2, '0')}`);
    for (const code of codes) {
      await service.call('PUT', `/v2/products/${code}`, { productName: code, tracking: 'none' });
      await adjust({ productCode: code, warehouse: 'PAGED', quantityDelta: 1 });
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = (
        await query<Page>(`?warehouse=PAGED&limit=5${cursor === null ? '' : `&cursor=${cursor}`}`)
      ).data;
      seen.push(...page.items.map((item) => item.productCode));
      cursor = page.nextCursor;
      // The last item shown leaves, and one that sorts before it arrives.
      await adjust({ productCode: codes[seen.length - 2], warehouse: 'PAGED', quantityDelta: -1 });
      const fresh = `PAGE-${String(seen.length - 5).padStart(2, '0')}a`;
      await service.call('PUT', `/v2/products/${fresh}`, { productName: fresh, tracking: 'none' });
      await adjust({ productCode: fresh, warehouse: 'PAGED', quantityDelta: 1 });
    } while (cursor !== null);
    expect(seen).toEqual(codes);
  });

  it.each([
    ['96385074', '00000096385074'],
    ['036000291452', '00036000291452'],
    ['4006381333931', '04006381333931'],
    ['10614141000415', '10614141000415'],
  ])(
    'takes the GTIN %s in every length, in path, query and body, as the one code %s',
    async (short, code) => {
      const put = await service.call<{ productCode: string; udiDi: string }>('PUT', `/v2/products/${short}`, {
        productName: `Article ${short}`,
        tracking: 'batch',
        productCode: code,
      });
      expect(put.data).toMatchObject({ productCode: code, udiDi: code });
      const spellings = [...new Set([short, code, code.replace(/^0/, '')])];
      for (const spelling of spellings) {
        await adjust({
          productCode: spelling,
          warehouse: 'WH-2',
          batchNo: 'G',
          expiryDate: '2030-01-01',
          quantityDelta: 1,
        });
        await hold({ productCode: spelling, batchNo: 'G', warehouse: 'WH-1' });
      }
      for (const spelling of spellings) {
        const path = `/v2/products/${spelling}`;
        expect((await service.call<{ productCode: string }>('GET', path)).data.productCode).toBe(code);
        expect((await query(`?productCode=${spelling}`)).data).toMatchObject({
          productCode: code,
          totalQuantity: spellings.length,
        });
        for (const list of ['/v2/products', '/v2/stock/movements', '/v2/stock/holds']) {
          const { data } = await service.call<{ items: { productCode: string }[] }>(
            'GET',
            `${list}?productCode=${spelling}`,
          );
          const expected = list === '/v2/products' ? 1 : spellings.length;
          expect([list, data.items.map((item) => item.productCode)]).toEqual([
            list,
            Array.from({ length: expected }, () => code),
          ]);
        }
      }
      const moved = await service.call<{ productCode: string }>('POST', '/v2/stock/transfers', {
        productCode: short,
        batchNo: 'G',
        from: 'WH-2',
        to: 'WH-1',
        quantity: 1,
      });
      expect(moved.data.productCode).toBe(code);
    },
  );

  it('keeps digits with a wrong check digit, or of another length, as they are', async () => {
    for (const code of ['96385075', '0096385074', '096385074']) {
      const put = await service.call('PUT', `/v2/products/${code}`, { productName: 'No GTIN' });
      expect(put.data).toMatchObject({ productCode: code, udiDi: null });
    }
  });

  describe('a batch is usable through its expiry date where the organization is', () => {
    it.each([
      // Expiry day, its last usable moment and the first moment it is blocked, in UTC.
      ['Asia/Shanghai', '2026-11-20', '2026-11-20T15:59:59.999Z', '2026-11-20T16:00:00.000Z'],
      ['America/New_York', '2026-11-20', '2026-11-21T04:59:59.999Z', '2026-11-21T05:00:00.000Z'],
      // The clocks go back on this day: it has 25 hours.
      ['America/New_York', '2026-11-01', '2026-11-02T04:59:59.999Z', '2026-11-02T05:00:00.000Z'],
      ['Pacific/Apia', '2026-11-20', '2026-11-20T10:59:59.999Z', '2026-11-20T11:00:00.000Z'],
      ['UTC', '2026-11-20', '2026-11-20T23:59:59.999Z', '2026-11-21T00:00:00.000Z'],
    ])('%s: %s ends after %s', async (timeZone, expiryDate, lastMoment, firstBlocked) => {
      const { key } = await newOrganization(service.db, { timeZone });
      await stockCatalogue(service.api, key);
      const body = { productCode: GTIN, warehouse: 'WH-1', batchNo: 'X', expiryDate, quantityDelta: 5 };
      await adjust(body, key);
      const quantities = async (at: string) => {
        service.db.clock.set(at);
        const { data } = await query(`?productCode=${GTIN}&warehouse=WH-1`, key);
        return [data.totalQuantity, data.availableQuantity, data.blockedQuantity];
      };
      try {
        expect(await quantities(lastMoment)).toEqual([5, 5, 0]);
        expect(await quantities(firstBlocked)).toEqual([5, 0, 5]);
      } finally {
        service.db.clock.set('2026-11-15T10:00:00.000Z');
      }
    });
  });
});
