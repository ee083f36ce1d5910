import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization } from '../../test/harness/index.js';
import { type EntryAnswer, openQualityWorld } from '../../test/harness/quality-world.js';

let world: Awaited<ReturnType<typeof openQualityWorld>>;
beforeAll(async () => {
  world = await openQualityWorld();
});
afterEach(() => world.verified());
afterAll(() => world.close());

const entry = (ncId: string) => world.read<EntryAnswer>(`/v2/quality/nonconformities/${ncId}`);

describe('the register of nonconforming goods', () => {
  it('has what was rejected at acceptance, which is never in stock and leaves without a movement', async () => {
    const goods = await world.stocked('batch', 0);
    const receiptId = await goods.receive('WH-1', 10, 4);
    const [found] = await goods.entries();
    expect(found).toMatchObject({
      source: { kind: 'receipt', id: receiptId, line: 1 },
      productName: expect.stringContaining('Pump'),
      batchNo: 'B1',
      quantity: 4,
      openQuantity: 4,
      warehouse: 'WH-1',
      supplierCode: 'SUP-1',
      inStock: false,
      reason: 'damaged',
      status: 'open',
      holdIds: [],
      dispositionIds: [],
    });
    expect(await goods.quantities()).toEqual([6, 6, 0]);
    const ncId = found?.ncId ?? '';
    const movements = (await goods.movements()).length;
    const back = await world.dispose({ kind: 'return_to_supplier', lines: [{ ncId, quantity: 3 }] });
    expect(back.data).toMatchObject({ status: 'executed', supplierCode: 'SUP-1' });
    expect(await entry(ncId)).toMatchObject({ status: 'open', openQuantity: 1, executedQuantity: 3 });
    expect((await world.propose({ lines: [{ ncId, quantity: 2 }] })).reason).toBe('not_undecided');
    await world.dispose({ ncIds: [ncId] });
    const closed = await entry(ncId);
    expect(closed).toMatchObject({ status: 'closed', openQuantity: 0, executedQuantity: 4 });
    expect(closed.closedAt).not.toBeNull();
    expect(closed.dispositionIds).toHaveLength(2);
    expect((await world.propose({ ncIds: [ncId] })).reason).toBe('not_undecided');
    expect((await goods.movements()).length).toBe(movements);
    expect(await goods.quantities()).toEqual([6, 6, 0]);
  });

  it('has the rejected units of a serialized product by their numbers, each decided once', async () => {
    const goods = await world.stocked('serial', 0);
    await goods.receive('WH-1', 3, 2);
    const [found] = await goods.entries();
    expect(found).toMatchObject({ quantity: 2, serials: ['S2', 'S3'] });
    const ncId = found?.ncId ?? '';
    await world.dispose({ lines: [{ ncId, serials: ['S3'] }] });
    expect((await world.propose({ lines: [{ ncId, serials: ['S3'] }] })).reason).toBe('not_undecided');
    const { data } = await world.propose({ ncIds: [ncId] });
    expect(data.lines).toMatchObject([{ holdId: null, ncId, quantity: 1, serials: ['S2'] }]);
    expect((await entry(ncId)).status).toBe('open');
    await world.step(data.dispositionId, 'approve', {}, world.second);
    expect((await entry(ncId)).status).toBe('decided');
    await world.step(data.dispositionId, 'reject', { reason: 'repairable' });
    expect(await entry(ncId)).toMatchObject({ status: 'open', openQuantity: 1 });
  });

  it('takes goods in stock by hand, on a hold of quality', async () => {
    const goods = await world.stocked('batch', 5);
    const { productCode } = goods;
    const found = await world.must<EntryAnswer>('/v2/quality/nonconformities', {
      ...{ productCode, batchNo: 'B1', warehouse: 'WH-1', quantity: 2, reason: 'wet' },
    });
    expect(found).toMatchObject({ source: { kind: 'manual', id: null }, quantity: 2, inStock: true });
    expect(await goods.quantities()).toEqual([5, 3, 2]);
    const [hold] = await goods.holds();
    expect(hold).toMatchObject({ category: 'quality', ncId: found.ncId, quantity: 2 });
    expect(found.holdIds).toEqual([hold?.holdId]);
    await world.dispose({ ncIds: [found.ncId] });
    expect(await goods.quantities()).toEqual([3, 3, 0]);
    expect(await entry(found.ncId)).toMatchObject({ status: 'closed', executedQuantity: 2, holdIds: [] });
  });

  it('takes an empty list of serials for none', async () => {
    const goods = await world.stocked('batch', 5);
    const { productCode } = goods;
    const found = await world.must<EntryAnswer>('/v2/quality/nonconformities', {
      ...{ productCode, batchNo: 'B1', warehouse: 'WH-1', quantity: 2, serials: [], reason: 'wet' },
    });
    expect(found).toMatchObject({ quantity: 2, serials: [] });
    expect(await goods.quantities()).toEqual([5, 3, 2]);
  });

  it('refuses by hand what is not in stock, and registers nothing then', async () => {
    const goods = await world.stocked('batch', 5);
    const { productCode } = goods;
    const body = { productCode, batchNo: 'B1', warehouse: 'WH-1', quantity: 2, reason: 'wet' };
    const post = (extra: object) => world.call('POST', '/v2/quality/nonconformities', { ...body, ...extra });
    expect((await post({ quantity: 6 })).reason).toBe('insufficient_stock');
    expect((await post({ warehouse: 'NOWHERE' })).reason).toBe('unknown_reference');
    expect((await post({ batchNo: 'B9' })).reason).toBe('unknown_reference');
    expect((await post({ quantity: 0 })).status).toBe(400);
    expect(await goods.entries()).toEqual([]);
  });

  it('closes an entry whose hold quality released, and one whose goods were adjusted out', async () => {
    const goods = await world.stocked('batch', 5);
    const { productCode } = goods;
    const body = { productCode, batchNo: 'B1', warehouse: 'WH-1', quantity: 2, reason: 'wet' };
    const first = await world.must<EntryAnswer>('/v2/quality/nonconformities', body);
    await world.must(`/v2/stock/holds/${first.holdIds[0]}/release`, { reason: 'dry again' });
    expect(await entry(first.ncId)).toMatchObject({ status: 'closed', releasedQuantity: 2, openQuantity: 0 });
    const second = await world.must<EntryAnswer>('/v2/quality/nonconformities', { ...body, quantity: 5 });
    await world.must('/v2/stock/adjustments', {
      ...{ productCode, batchNo: 'B1', warehouse: 'WH-1', quantityDelta: -3, reason: 'lost' },
    });
    expect(await entry(second.ncId)).toMatchObject({ status: 'open', adjustedQuantity: 3, openQuantity: 2 });
    await world.dispose({ ncIds: [second.ncId] });
    expect(await entry(second.ncId)).toMatchObject({ status: 'closed', executedQuantity: 2 });
    expect(await goods.quantities()).toEqual([0, 0, 0]);
  });

  it('closes the entry of a unit that a disposition of another hold takes out of stock', async () => {
    const goods = await world.stocked('serial', 3);
    const { productCode } = goods;
    const unit = { productCode, batchNo: 'B1', warehouse: 'WH-1', quantity: 1, serials: ['S1'] };
    const { ncId } = await world.must<EntryAnswer>('/v2/quality/nonconformities', { ...unit, reason: 'wet' });
    const { holdId } = await goods.hold();
    const lines = [{ holdId, serials: ['S1', 'S2'] }];
    // The entry has a disposition of its own, which is decided first.
    const { dispositionId } = (await world.propose({ kind: 'rework', ncIds: [ncId] })).data;
    const refused = await world.dispose({ lines });
    expect([refused.status, refused.reason]).toEqual([400, 'hold_in_disposition']);
    await world.step(dispositionId, 'reject', { reason: 'not worth it' });
    const [waiting] = await world
      .read<{ items: { dispositionId: string }[] }>('/v2/quality/dispositions?status=approved')
      .then(({ items }) => items);
    expect((await world.step(waiting?.dispositionId ?? '', 'execute', { witness: 'Ann' })).status).toBe(200);
    expect(await entry(ncId)).toMatchObject({ status: 'closed', executedQuantity: 1, holdIds: [] });
    expect(await goods.quantities()).toEqual([1, 0, 1]);
    expect((await goods.holds()).map((hold) => hold.holdId)).toEqual([holdId]);
  });

  it('has unmatched returns, on the hold they came in under', async () => {
    const goods = await world.stocked('batch', 0);
    const { receiptId } = await world.must<{ receiptId: string }>('/v2/receipts', {
      receiptNo: `RET-${goods.productCode}`,
      kind: 'return',
      customerCode: 'HOSP-1',
      warehouse: 'WH-1',
      unmatched: { reason: 'label of another supplier' },
      lines: [
        { lineNo: 1, productCode: goods.productCode, batchNo: 'U1', expiryDate: '2030-01-01', quantity: 3 },
      ],
    });
    await world.must(`/v2/receipts/${receiptId}/acceptance`, {
      lines: [{ lineNo: 1, acceptedQuantity: 3, rejectedQuantity: 0 }],
    });
    const [found] = await goods.entries();
    expect(found).toMatchObject({
      source: { kind: 'return', id: receiptId },
      batchNo: 'U1',
      quantity: 3,
      inStock: true,
      customerCode: 'HOSP-1',
    });
    expect(await goods.holds()).toMatchObject([
      { category: 'unmatched_return', ncId: found?.ncId, quantity: 3 },
    ]);
    await world.dispose({ lines: [{ ncId: found?.ncId, quantity: 1 }] });
    expect(await entry(found?.ncId ?? '')).toMatchObject({
      executedQuantity: 1,
      openQuantity: 2,
      status: 'open',
    });
  });

  it('is listed by status, source, product, batch, warehouse and time, page by page, and exported', async () => {
    const goods = await world.stocked('batch', 0);
    for (const quantity of [2, 3]) await goods.receive('WH-1', quantity, 1);
    await goods.receive('WH-2', 2, 1);
    const list = async (query: string) =>
      (
        await world.read<{ items: EntryAnswer[] }>(
          `/v2/quality/nonconformities?productCode=${goods.productCode}${query}`,
        )
      ).items.length;
    expect(await list('')).toBe(3);
    expect(await list('&status=open')).toBe(3);
    expect(await list('&status=closed')).toBe(0);
    expect(await list('&source=manual')).toBe(0);
    expect(await list('&warehouse=WH-2')).toBe(1);
    expect(await list('&batchNo=B2')).toBe(0);
    expect(await list('&since=2999-01-01T00:00:00Z')).toBe(0);
    expect(await list('&until=2000-01-01T00:00:00Z')).toBe(0);
    const path = `/v2/quality/nonconformities?productCode=${goods.productCode}&limit=2`;
    const first = await world.read<{ items: EntryAnswer[]; nextCursor: string }>(path);
    const rest = await world.read<{ items: EntryAnswer[] }>(`${path}&cursor=${first.nextCursor}`);
    expect(new Set([...first.items, ...rest.items].map(({ ncId }) => ncId)).size).toBe(3);
    const csv = await world.call(
      'GET',
      `/exports/quality/nonconformities.csv?productCode=${goods.productCode}`,
    );
    const rows = csv.text.trim().split('\r\n');
    expect(rows).toHaveLength(4);
    expect(rows[0]).toContain('ncId,createdAt,createdBy,source');
    expect(rows[1]).toContain('damaged');
  });

  it('shows nothing to another organization', async () => {
    const goods = await world.stocked('batch', 0);
    await goods.receive('WH-1', 2, 1);
    const [found] = await goods.entries();
    const other = await newOrganization(world.service.db);
    const path = `/v2/quality/nonconformities/${found?.ncId}`;
    expect((await world.call('GET', path, undefined, other.key)).status).toBe(404);
    const list = await world.call<{ items: object[] }>(
      'GET',
      '/v2/quality/nonconformities',
      undefined,
      other.key,
    );
    expect(list.data.items).toEqual([]);
    expect((await world.propose({ ncIds: [found?.ncId] }, other.key)).reason).toBe('unknown_reference');
  });
});
