import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, newOrganization, openTestService, stockCatalogue } from '../../test/harness/index.js';

interface Inventory {
  productCode: string;
  warehouse: string;
  totalQuantity: number;
  batches: object[];
}
interface Answer {
  items: Inventory[];
  unknown: string[];
  nextCursor: null;
}

const SHORT = '96385074';
const LONG = '00000096385074';

describe('the inventory of several products', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  const ask = (codes: readonly string[], rest = '', key?: string) => {
    const given = codes.map((code) => `productCode=${encodeURIComponent(code)}`);
    return service.call<Answer>('GET', `/v2/inventory?${[...given, rest].join('&')}`, undefined, key);
  };
  const askOne = async (code: string, rest = '') =>
    (await service.call<Inventory>('GET', `/v2/inventory?productCode=${code}&${rest}`)).data;

  beforeAll(async () => {
    service = await openTestService();
    await service.call('PUT', `/v2/products/${SHORT}`, { productName: 'Short', tracking: 'none' });
    for (const [productCode, warehouse, batchNo] of [
      [GTIN, 'WH-1', 'A'],
      [GTIN, 'WH-1', 'B'],
      [GTIN, 'WH-2', 'A'],
      ['GLOVE-1', 'WH-2', undefined],
    ]) {
      const batch = batchNo ? { batchNo, expiryDate: '2029-01-01' } : {};
      const body = { productCode, warehouse, ...batch, quantityDelta: 5, reason: 'count' };
      const answer = await service.call('POST', '/v2/stock/adjustments', body);
      if (answer.status !== 200) throw new Error(answer.text);
    }
    const hold = { productCode: GTIN, batchNo: 'A', warehouse: 'WH-1', quantity: 2, reason: 'damp' };
    if ((await service.call('POST', '/v2/stock/holds', hold)).status !== 200) throw new Error('no hold');
  });
  afterAll(() => service.close());

  it.each(['', 'warehouse=WH-1'])(
    'has the very records of each alone, in the order given (%s)',
    async (rest) => {
      const codes = ['PUMP-1', GTIN, 'GLOVE-1'];
      const { status, data } = await ask(codes, rest);
      expect(status).toBe(200);
      expect(data.items).toEqual(await Promise.all(codes.map((code) => askOne(code, rest))));
      expect(data.items[1]?.totalQuantity).toBe(rest === '' ? 15 : 10);
      expect([data.unknown, data.nextCursor]).toEqual([[], null]);
    },
  );

  it('names the codes that do not exist as they were given, and those of another organization too', async () => {
    const stranger = await newOrganization(service.db);
    await service.call('PUT', '/v2/products/THEIRS', { productName: 'Theirs' }, stranger.key);
    const { data } = await ask(['4006381333931', GTIN, 'THEIRS', 'NOPE'], 'warehouse=WH-2');
    expect(data.items.map((item) => item.productCode)).toEqual([GTIN]);
    expect(data.unknown).toEqual(['4006381333931', 'THEIRS', 'NOPE']);
    expect((await ask(['NOPE', 'NEITHER'], 'warehouse=WH-2')).data).toEqual({
      items: [],
      unknown: ['NOPE', 'NEITHER'],
      nextCursor: null,
    });
    await stockCatalogue(service.api, stranger.key);
    const { data: theirs } = await ask([GTIN, SHORT], '', stranger.key);
    expect(theirs.items).toMatchObject([{ productCode: GTIN, totalQuantity: 0 }]);
    expect(theirs.unknown).toEqual([SHORT]);
  });

  it('has a product once, however often and in any length its GTIN is given', async () => {
    const { data } = await ask([SHORT, GTIN, LONG, GTIN]);
    expect(data.items.map((item) => item.productCode)).toEqual([LONG, GTIN]);
    expect((await ask([GTIN, GTIN])).data.items).toHaveLength(1);
  });

  it('is missing where the warehouse is missing, whether or not the products exist', async () => {
    for (const codes of [
      [GTIN, 'GLOVE-1'],
      ['NOPE', 'NEITHER'],
    ]) {
      const answer = await ask(codes, 'warehouse=NOPE');
      expect([answer.status, answer.json.errors]).toEqual([
        404,
        [expect.objectContaining({ path: 'warehouse', reason: 'not_found' })],
      ]);
    }
  });

  it('is read for up to 200 codes, and refused for more, for pages and for a code that can be none', async () => {
    const codes = Array.from({ length: 200 }, (_, i) => `C-${i}`);
    expect((await ask(codes)).data.unknown).toEqual(codes);
    for (const [answer, reason, path] of [
      [await ask([...codes, GTIN]), 'bad_item_count', 'productCode'],
      [await ask([GTIN, '']), 'bad_length', 'productCode'],
      [await ask([GTIN, 'x'.repeat(65)]), 'bad_length', 'productCode'],
      [await ask([GTIN, 'GLOVE-1'], 'limit=5'), 'unknown_parameter', 'limit'],
      [await ask([GTIN, 'GLOVE-1'], 'cursor=x'), 'unknown_parameter', 'cursor'],
    ] as const)
      expect([answer.status, answer.reason, answer.json.errors?.[0]?.path]).toEqual([400, reason, path]);
  });
});
