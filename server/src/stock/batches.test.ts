import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestService } from '../../test/harness/index.js';
import type { BatchRecord } from './batch-list.store.js';
import type { InventoryRecord } from './inventory.rules.js';

interface Page {
  items: BatchRecord[];
  nextCursor: string | null;
}

const FAR = '2029-01-01';

describe('batches', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  let products = 0;

  beforeAll(async () => {
    service = await openTestService();
  });
  afterAll(() => service.close());

  const must = async <D>(method: string, path: string, body?: object): Promise<D> => {
    const answer = await service.call<D>(method, path, body);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.data;
  };
  const list = async (query: string) => (await must<Page>('GET', `/v2/stock/batches?${query}`)).items;

  /** A product of its own for each test. */
  async function newProduct(tracking: 'batch' | 'serial' | 'none' = 'batch') {
    const productCode = `BATCH-${++products}`;
    await must('PUT', `/v2/products/${productCode}`, { productName: 'Listed', tracking });
    const add = (batchNo: string, quantityDelta: number, part: object = {}) =>
      must('POST', '/v2/stock/adjustments', {
        ...{ productCode, warehouse: 'WH-1', batchNo, quantityDelta, reason: 'count', expiryDate: FAR },
        ...part,
      });
    const hold = (batchNo: string, part: object = {}) =>
      must<{ holdId: string }>('POST', '/v2/stock/holds', { productCode, batchNo, reason: 'damp', ...part });
    const read = (batchNo: string) => must<BatchRecord>('GET', `/v2/stock/batches/${productCode}/${batchNo}`);
    const statusOf = async (batchNo: string) => (await read(batchNo)).status;
    const listed = async (query = '') =>
      (await list(`productCode=${productCode}${query}`)).map(({ batchNo }) => batchNo);
    return { productCode, add, hold, read, statusOf, listed };
  }

  it('show dates, figures of each warehouse and active holds', async () => {
    const { productCode, add, hold, read } = await newProduct();
    await add('B1', 10, { manufactureDate: '2026-01-01' });
    await add('B1', 4, { warehouse: 'WH-2', expiryDate: undefined });
    const some = await hold('B1', { warehouse: 'WH-1', quantity: 3, category: 'logistics' });
    const all = await hold('B1', { warehouse: 'WH-2', reason: 'seal broken' });
    const released = await hold('B1', { warehouse: 'WH-1', quantity: 1 });
    await must('POST', `/v2/stock/holds/${released.holdId}/release`, { reason: 'good' });
    const batch = await read('B1');
    const byId = (a: { holdId: string }, b: { holdId: string }) => (a.holdId < b.holdId ? -1 : 1);
    expect(batch).toEqual({
      productCode,
      productName: 'Listed',
      batchNo: 'B1',
      expiryDate: FAR,
      manufactureDate: '2026-01-01',
      status: 'released',
      byWarehouse: [
        {
          warehouse: 'WH-1',
          totalQuantity: 10,
          availableQuantity: 7,
          reservedQuantity: 0,
          blockedQuantity: 3,
        },
        {
          warehouse: 'WH-2',
          totalQuantity: 4,
          availableQuantity: 0,
          reservedQuantity: 0,
          blockedQuantity: 4,
        },
      ],
      holds: [
        {
          ...{ holdId: some.holdId, category: 'logistics', extent: 'quantity' },
          ...{ warehouse: 'WH-1', quantity: 3, reason: 'damp' },
        },
        {
          ...{ holdId: all.holdId, category: 'quality', extent: 'batch' },
          ...{ warehouse: 'WH-2', quantity: null, reason: 'seal broken' },
        },
      ].sort(byId),
    });
    expect(await list(`productCode=${productCode}`)).toEqual([batch]);
  });

  it('add up to what the inventory says, with reservations, holds and expired stock', async () => {
    const { productCode, add, hold } = await newProduct();
    for (const [batchNo, expiryDate] of [
      ['B1', FAR],
      ['B2', '2026-11-14'],
      ['B3', null],
    ] as const)
      for (const warehouse of ['WH-1', 'WH-2']) await add(batchNo, 9, { warehouse, expiryDate });
    await hold('B1', { warehouse: 'WH-1', quantity: 2 });
    await hold('B3', { warehouse: 'WH-2' });
    await service.db.sql(
      `update balances set reserved = 3 where product_code = $1 and whole_holds = 0 and batch_no <> 'B2'`,
      [productCode],
    );
    const { byWarehouse } = await must<{ byWarehouse: InventoryRecord[] }>(
      'GET',
      `/v2/inventory?productCode=${productCode}`,
    );
    const batches = await list(`productCode=${productCode}`);
    const fields = ['totalQuantity', 'availableQuantity', 'reservedQuantity', 'blockedQuantity'] as const;
    for (const record of byWarehouse) {
      const parts = batches
        .flatMap((batch) => batch.byWarehouse)
        .filter((each) => each.warehouse === record.warehouse);
      for (const field of fields)
        expect([record.warehouse, field, parts.reduce((sum, each) => sum + each[field], 0)]).toEqual([
          record.warehouse,
          field,
          record[field],
        ]);
      for (const part of parts)
        expect(part.availableQuantity + part.reservedQuantity + part.blockedQuantity).toBe(
          part.totalQuantity,
        );
    }
    expect(byWarehouse.map((record) => record.reservedQuantity)).toEqual([6, 3]);
    await service.db.sql('update balances set reserved = 0 where product_code = $1', [productCode]);
  });

  it('are recalled before expired before on hold, and released while something can be sold', async () => {
    const { productCode, add, hold, statusOf } = await newProduct();
    await add('B1', 5);
    expect(await statusOf('B1')).toBe('released');
    await hold('B1', { quantity: 4 });
    expect(await statusOf('B1')).toBe('released');
    await service.db.sql('update balances set reserved = 1 where product_code = $1', [productCode]);
    expect(await statusOf('B1'), 'reserved stock is sold, not on hold').toBe('released');
    await service.db.sql('update balances set reserved = 0 where product_code = $1', [productCode]);
    const { holdId } = await hold('B1', { quantity: 1 });
    expect(await statusOf('B1')).toBe('on_hold');
    await must('POST', `/v2/stock/holds/${holdId}/release`, { reason: 'good' });
    expect(await statusOf('B1')).toBe('released');
    await hold('B1');
    expect(await statusOf('B1')).toBe('on_hold');
    await add('B2', 5, { expiryDate: '2026-11-15' });
    await hold('B2');
    expect(await statusOf('B2'), 'usable through its last day').toBe('on_hold');
    service.db.clock.advance(86_400_000);
    expect(await statusOf('B2')).toBe('expired');
    service.db.clock.advance(-86_400_000);
    const recall = { recallNo: productCode, productCode, batchNos: ['B1', 'B2'], class: 'II', reason: 'x' };
    await must('POST', '/v2/recalls', recall);
    service.db.clock.advance(86_400_000);
    expect([await statusOf('B1'), await statusOf('B2')]).toEqual(['recalled', 'recalled']);
    service.db.clock.advance(-86_400_000);
  });

  it('of which a recall names some units are recalled once no others can be sold', async () => {
    const { productCode, add, hold, statusOf } = await newProduct('serial');
    await add('B1', 2, { serials: ['S1', 'S2'] });
    const recall = { recallNo: productCode, productCode, serials: ['S1'], class: 'II', reason: 'x' };
    await must('POST', '/v2/recalls', recall);
    expect(await statusOf('B1')).toBe('released');
    await hold('B1', { serials: ['S2'] });
    expect(await statusOf('B1')).toBe('recalled');
  });

  it('without stock and active holds are listed only if named; on their own page always', async () => {
    const { productCode, add, hold, read, listed } = await newProduct();
    await add('GONE', 3);
    await add('GONE', -3);
    await add('WAITING', 3);
    await add('WAITING', -3);
    const { holdId } = await hold('WAITING');
    await add('HERE', 3);
    expect(await listed()).toEqual(['HERE', 'WAITING']);
    expect(await listed('&batchNo=GONE')).toEqual(['GONE']);
    expect(await read('GONE')).toMatchObject({ status: 'released', byWarehouse: [], holds: [] });
    expect(await read('WAITING')).toMatchObject({ status: 'released', holds: [{ holdId }] });
    expect((await list(`batchNo=GONE`)).map((batch) => batch.productCode)).not.toContain(productCode);
    service.db.clock.set('2029-06-01T10:00:00.000Z');
    expect(await read('GONE')).toMatchObject({ status: 'expired' });
    service.db.clock.set('2026-11-15T10:00:00.000Z');
  });

  it('are selected by status, warehouse and expiry, alone and together', async () => {
    const { productCode, add, hold, listed } = await newProduct();
    await add('A-OLD', 1, { expiryDate: '2026-01-01' });
    await add('B-HELD', 1, { expiryDate: '2027-01-01' });
    await add('C-FREE', 1, { warehouse: 'WH-2', expiryDate: '2027-01-02' });
    await add('D-EVER', 1, { expiryDate: null });
    await add('E-BACK', 1);
    await hold('B-HELD');
    const recall = { recallNo: productCode, productCode, batchNos: ['E-BACK'], class: 'II', reason: 'x' };
    await must('POST', '/v2/recalls', recall);
    expect(await listed()).toEqual(['A-OLD', 'B-HELD', 'C-FREE', 'D-EVER', 'E-BACK']);
    expect(await listed('&status=expired')).toEqual(['A-OLD']);
    expect(await listed('&status=on_hold')).toEqual(['B-HELD']);
    expect(await listed('&status=released')).toEqual(['C-FREE', 'D-EVER']);
    expect(await listed('&status=recalled')).toEqual(['E-BACK']);
    expect(await listed('&warehouse=WH-2')).toEqual(['C-FREE']);
    expect(await listed('&warehouse=NOPE')).toEqual([]);
    expect(await listed('&expiringBefore=2027-01-02')).toEqual(['A-OLD', 'B-HELD']);
    expect(await listed('&expiringBefore=2027-01-02&status=on_hold&warehouse=WH-1')).toEqual(['B-HELD']);
    expect(await listed('&status=released&warehouse=WH-1')).toEqual(['D-EVER']);
    expect(await listed('&batchNo=B-HELD&status=released')).toEqual([]);
    expect(await listed('&batchNo=B-HELD&warehouse=WH-2')).toEqual([]);
  });

  it('come by product code and batch number, page by page, each once', async () => {
    const organization = await newOrganization(service.db);
    const call = <D>(method: string, path: string, body?: object) =>
      service.call<D>(method, path, body, organization.key);
    await call('PUT', '/v2/warehouses/WH-1', { name: 'Main' });
    await call('PUT', '/v2/warehouses/WH-2', { name: 'Second' });
    for (const productCode of ['PAGE-B', 'PAGE-A']) {
      await call('PUT', `/v2/products/${productCode}`, { productName: productCode });
      for (const batchNo of ['3', '1', '2'])
        for (const warehouse of ['WH-1', 'WH-2']) {
          const stock = {
            productCode,
            batchNo,
            warehouse,
            quantityDelta: 1,
            expiryDate: null,
            reason: 'count',
          };
          await call('POST', '/v2/stock/adjustments', stock);
        }
      const held = { productCode, batchNo: '2', reason: 'look' };
      for (let i = 0; i < 2; i++) await call('POST', '/v2/stock/holds', held);
    }
    const all = ['PAGE-A 1', 'PAGE-A 2', 'PAGE-A 3', 'PAGE-B 1', 'PAGE-B 2', 'PAGE-B 3'];
    const pages = async (query: string) => {
      const found: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const at: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const { data } = await call<Page>('GET', `/v2/stock/batches?limit=2${query}${at}`);
        expect(data.items.length).toBeLessThanOrEqual(2);
        found.push(...data.items.map((batch) => `${batch.productCode} ${batch.batchNo}`));
        cursor = data.nextCursor;
      }
      return found;
    };
    expect(await pages('')).toEqual(all);
    expect(await pages('&warehouse=WH-2')).toEqual(all);
    expect(await pages('&status=released')).toEqual(all.filter((each) => !each.endsWith('2')));
    expect(await pages('&status=on_hold')).toEqual(['PAGE-A 2', 'PAGE-B 2']);
  });

  it('of a product without batches are one with an empty number', async () => {
    const { productCode, add } = await newProduct('none');
    await add('', 7, { expiryDate: undefined });
    for (const query of [`productCode=${productCode}`, `productCode=${productCode}&batchNo=`])
      expect(await list(query)).toMatchObject([{ batchNo: '', byWarehouse: [{ totalQuantity: 7 }] }]);
  });

  it('are refused with the reason, and not found when unknown or of others', async () => {
    const stranger = await newOrganization(service.db);
    const { productCode, add } = await newProduct();
    await add('B1', 1);
    for (const [query, reason] of [
      ['status=sold', 'not_allowed'],
      ['expiringBefore=soon', 'bad_format'],
      ['nonsense=1', 'unknown_parameter'],
      ['cursor=x', 'bad_cursor'],
    ])
      expect(await service.call('GET', `/v2/stock/batches?${query}`)).toMatchObject({ status: 400, reason });
    const path = `/v2/stock/batches/${productCode}`;
    expect(await service.call('GET', `${path}/NOPE`)).toMatchObject({ status: 404, reason: 'not_found' });
    expect((await service.call('GET', `${path}/B1`, undefined, stranger.key)).status).toBe(404);
    const foreign = await service.call<Page>('GET', '/v2/stock/batches', undefined, stranger.key);
    expect(foreign.data.items).toEqual([]);
  });
});
