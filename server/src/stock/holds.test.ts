import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestService } from '../../test/harness/index.js';
import { transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { holdStock } from './hold-stock.js';
import type { InventoryRecord } from './inventory.rules.js';

interface Hold {
  holdId: string;
  status: string;
  extent: string;
  warehouse: string | null;
  quantity: number | null;
  serials: string[];
  [field: string]: unknown;
}

const NOW = '2026-11-15T10:00:00.000Z';

describe('holds', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  let actor: string;
  let products = 0;

  beforeAll(async () => {
    service = await openTestService();
    actor = `owner@${service.org.organization.code}.example`;
  });
  afterAll(() => service.close());

  const must = async (method: string, path: string, body: object) => {
    const answer = await service.call<Hold>(method, path, body);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.data;
  };

  /** A product of its own for each test, with batch B1 in it. */
  async function stocked(tracking: 'batch' | 'serial' | 'none', inFirst: number, inSecond = 0) {
    const productCode = `HOLD-${++products}`;
    await must('PUT', `/v2/products/${productCode}`, { productName: 'Held', tracking });
    const batch = tracking === 'none' ? {} : { batchNo: 'B1', expiryDate: null };
    const adjust = (quantityDelta: number, extra: object = {}) =>
      service.call('POST', '/v2/stock/adjustments', {
        productCode,
        warehouse: 'WH-1',
        quantityDelta,
        reason: 'count',
        ...batch,
        ...extra,
      });
    const names = (from: number, count: number) =>
      tracking === 'serial' ? { serials: Array.from({ length: count }, (_, i) => `S${from + i}`) } : {};
    if (inFirst > 0) await adjust(inFirst, names(1, inFirst));
    if (inSecond > 0) await adjust(inSecond, { warehouse: 'WH-2', ...names(inFirst + 1, inSecond) });
    const { batchNo } = { batchNo: undefined, ...batch };
    const body = { productCode, ...(batchNo === undefined ? {} : { batchNo }) };
    return {
      productCode,
      adjust,
      hold: (extra: object = {}) =>
        service.call<Hold>('POST', '/v2/stock/holds', { ...body, reason: 'damp', ...extra }),
      transfer: (quantity: number, extra: object = {}) =>
        service.call('POST', '/v2/stock/transfers', {
          ...body,
          from: 'WH-1',
          to: 'WH-2',
          quantity,
          ...extra,
        }),
      /** [total, available, blocked] */
      async quantities(warehouse?: string) {
        const where = warehouse === undefined ? '' : `&warehouse=${warehouse}`;
        const { data } = await service.call<InventoryRecord>(
          'GET',
          `/v2/inventory?productCode=${productCode}${where}`,
        );
        expect(data.availableQuantity + data.reservedQuantity + data.blockedQuantity).toBe(
          data.totalQuantity,
        );
        return [data.totalQuantity, data.availableQuantity, data.blockedQuantity];
      },
    };
  }
  const release = (holdId: string, body: object = { reason: 'good' }) =>
    service.call<Hold>('POST', `/v2/stock/holds/${holdId}/release`, body);
  const read = async (holdId: string) => (await service.call<Hold>('GET', `/v2/stock/holds/${holdId}`)).data;

  it('of a whole batch cover every warehouse and what arrives later, until released', async () => {
    const { productCode, adjust, hold, quantities } = await stocked('batch', 5, 3);
    const { status, data } = await hold();
    expect(status).toBe(200);
    expect(data).toEqual({
      holdId: expect.stringMatching(/^hld_/),
      status: 'active',
      productCode,
      batchNo: 'B1',
      warehouse: null,
      extent: 'batch',
      quantity: null,
      serials: [],
      category: 'quality',
      source: 'manual',
      alertId: null,
      ncId: null,
      splitFrom: null,
      reason: 'damp',
      createdAt: NOW,
      createdBy: actor,
      releasedAt: null,
      releasedBy: null,
      releaseReason: null,
      updatedAt: NOW,
    });
    expect(await quantities()).toEqual([8, 0, 8]);
    await adjust(2);
    await must('PUT', '/v2/warehouses/WH-3', { name: 'Third' });
    await adjust(4, { warehouse: 'WH-3' });
    await adjust(6, { batchNo: 'OTHER' });
    expect(await quantities()).toEqual([20, 6, 14]);
    const released = await release(data.holdId, { reason: 'dry again' });
    expect(released.data).toEqual({
      ...data,
      status: 'released',
      releasedAt: NOW,
      releasedBy: actor,
      releaseReason: 'dry again',
    });
    expect(await quantities()).toEqual([20, 20, 0]);
    expect(await read(data.holdId)).toEqual(released.data);
  });

  it('of a whole batch in one warehouse leave the others free, and wait for what arrives there', async () => {
    const { adjust, hold, quantities } = await stocked('batch', 5);
    const { data } = await hold({ warehouse: 'WH-2' });
    expect(data).toMatchObject({ extent: 'batch', warehouse: 'WH-2' });
    expect(await quantities()).toEqual([5, 5, 0]);
    await adjust(3, { warehouse: 'WH-2' });
    expect(await quantities('WH-1')).toEqual([5, 5, 0]);
    expect(await quantities('WH-2')).toEqual([3, 0, 3]);
    await release(data.holdId);
    expect(await quantities('WH-2')).toEqual([3, 3, 0]);
  });

  it('of a quantity block so much and no more', async () => {
    const { hold, quantities } = await stocked('batch', 5);
    const { data } = await hold({ quantity: 2 });
    expect(data).toMatchObject({ extent: 'quantity', warehouse: 'WH-1', quantity: 2 });
    expect(await quantities()).toEqual([5, 3, 2]);
    expect((await hold({ quantity: 4 })).reason).toBe('insufficient_stock');
    expect((await hold({ quantity: 3, warehouse: 'WH-1' })).status).toBe(200);
    expect(await quantities()).toEqual([5, 0, 5]);
    await release(data.holdId);
    expect(await quantities()).toEqual([5, 2, 3]);
  });

  it('of serials block exactly those units, in every warehouse', async () => {
    const { hold, quantities } = await stocked('serial', 3, 2);
    const { data } = await hold({ serials: ['S4', 'S1'] });
    expect(data).toMatchObject({ extent: 'serials', warehouse: null, quantity: 2, serials: ['S1', 'S4'] });
    expect(await read(data.holdId)).toEqual(data);
    expect(await quantities('WH-1')).toEqual([3, 2, 1]);
    expect(await quantities('WH-2')).toEqual([2, 1, 1]);
    const one = await hold({ serials: ['S2'], warehouse: 'WH-1', quantity: 1 });
    expect(one.data).toMatchObject({ warehouse: 'WH-1', serials: ['S2'] });
    await release(data.holdId);
    expect(await quantities()).toEqual([5, 4, 1]);
  });

  it('of a product without batches or with serials can take the whole of it', async () => {
    const gloves = await stocked('none', 9);
    expect((await gloves.hold()).data).toMatchObject({ batchNo: '', extent: 'batch' });
    expect(await gloves.quantities()).toEqual([9, 0, 9]);
    const pumps = await stocked('serial', 2);
    await pumps.hold();
    expect(await pumps.quantities()).toEqual([2, 0, 2]);
  });

  it('stack: each is released on its own, and what another covers stays blocked', async () => {
    const { adjust, hold, quantities } = await stocked('batch', 6, 4);
    const everywhere = (await hold()).data;
    const again = (await hold()).data;
    const here = (await hold({ warehouse: 'WH-1' })).data;
    const some = (await hold({ warehouse: 'WH-1', quantity: 2 })).data;
    const more = (await hold({ warehouse: 'WH-1', quantity: 1 })).data;
    const states: [string, number[], number[]][] = [
      [everywhere.holdId, [6, 0, 6], [4, 0, 4]],
      [again.holdId, [6, 0, 6], [4, 4, 0]],
      [here.holdId, [6, 3, 3], [4, 4, 0]],
      [some.holdId, [6, 5, 1], [4, 4, 0]],
      [more.holdId, [6, 6, 0], [4, 4, 0]],
    ];
    for (const [holdId, first, second] of states) {
      expect((await release(holdId)).status).toBe(200);
      expect([await quantities('WH-1'), await quantities('WH-2')]).toEqual([first, second]);
    }
    expect((await adjust(-6)).status).toBe(200);
  });

  it('of the same unit stack too: it is free once the last one is released', async () => {
    const { hold, quantities } = await stocked('serial', 3);
    const first = (await hold({ serials: ['S1', 'S2'] })).data;
    const second = (await hold({ serials: ['S2', 'S3'] })).data;
    expect(await quantities()).toEqual([3, 0, 3]);
    await release(first.holdId);
    expect(await quantities()).toEqual([3, 1, 2]);
    await release(second.holdId);
    expect(await quantities()).toEqual([3, 3, 0]);
  });

  it('shrink when held units are adjusted away: free ones go first, then the oldest hold', async () => {
    const { adjust, hold, quantities } = await stocked('batch', 10);
    const first = (await hold({ quantity: 3 })).data;
    service.db.clock.advance(1_000);
    const second = (await hold({ quantity: 4 })).data;
    service.db.clock.set(NOW);
    await adjust(-3);
    expect([await quantities(), (await read(first.holdId)).quantity]).toEqual([[7, 0, 7], 3]);
    const { data: movement } = await adjust(-4, { reason: 'destroyed' });
    expect(await quantities()).toEqual([3, 0, 3]);
    expect([(await read(first.holdId)).quantity, (await read(second.holdId)).quantity]).toEqual([0, 3]);
    expect(await read(first.holdId)).toMatchObject({
      ...{ status: 'released', releasedBy: actor, releaseReason: 'destroyed' },
    });
    const entries = await service.db.sql(
      `select entity_id as id, actor, reason, before, after from audit_entries
       where action = 'stock.shrink_hold' and entity_id = any($1) order by before->>'quantity'`,
      [[first.holdId, second.holdId]],
    );
    expect(entries).toEqual([
      { id: first.holdId, actor, reason: 'destroyed', before: { quantity: 3 }, after: { quantity: 0 } },
      { id: second.holdId, actor, reason: 'destroyed', before: { quantity: 4 }, after: { quantity: 3 } },
    ]);
    expect(movement).toMatchObject({ quantityDelta: -4 });
    expect((await release(first.holdId)).reason).toBe('hold_released');
    await release(second.holdId);
    expect(await quantities()).toEqual([3, 3, 0]);
  });

  it('drop a unit that is adjusted away, also when it returns later', async () => {
    const { adjust, hold, quantities } = await stocked('serial', 3);
    const first = (await hold({ serials: ['S1', 'S2'] })).data;
    const second = (await hold({ serials: ['S1'] })).data;
    await adjust(-1, { serials: ['S1'] });
    expect(await read(first.holdId)).toMatchObject({ quantity: 1, serials: ['S2'] });
    expect(await read(second.holdId)).toMatchObject({ quantity: 0, serials: [], status: 'released' });
    expect(await quantities()).toEqual([2, 1, 1]);
    await adjust(1, { serials: ['S1'] });
    expect(await quantities()).toEqual([3, 2, 1]);
    expect((await release(first.holdId)).status).toBe(200);
    expect(await quantities()).toEqual([3, 3, 0]);
  });

  it('always cover something: an empty list of units is no hold, and the last unit ends it', async () => {
    const { productCode, adjust, hold } = await stocked('serial', 2);
    const empty = { productCode, batchNo: 'B1', serials: [], reason: 'damp' };
    await expect(
      transact(service.db.database, systemPrincipal(service.org.organization.orgId, actor), (tx) =>
        holdStock(tx, empty),
      ),
    ).rejects.toMatchObject({ issues: [{ path: '/serials', reason: 'serials_required' }] });
    const { holdId } = (await hold({ serials: ['S1', 'S2'] })).data;
    await adjust(-1, { serials: ['S1'] });
    expect(await read(holdId)).toMatchObject({ quantity: 1, status: 'active' });
    await adjust(-1, { serials: ['S2'], reason: 'broken' });
    expect(await read(holdId)).toMatchObject({ quantity: 0, status: 'released', releaseReason: 'broken' });
    const audited = await service.db.sql<{ action: string }>(
      `select action from audit_entries where entity_id = $1 order by action`,
      [holdId],
    );
    expect(audited.map(({ action }) => action)).toEqual([
      ...['stock.hold', 'stock.release', 'stock.shrink_hold', 'stock.shrink_hold'],
    ]);
  });

  it('are released once: the second time, and all but one of many at once, are refused', async () => {
    const { hold, quantities } = await stocked('batch', 5);
    await hold({ quantity: 1 });
    const { data } = await hold({ quantity: 2 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => release(data.holdId)));
    expect(answers.map((answer) => answer.reason ?? 'released').sort()).toEqual([
      ...Array.from({ length: 5 }, () => 'hold_released'),
      'released',
    ]);
    expect((await release(data.holdId)).status).toBe(400);
    expect(await quantities()).toEqual([5, 4, 1]);
  });

  it('of a recall are not released by hand', async () => {
    const { hold } = await stocked('batch', 5);
    const { data } = await hold();
    await service.db.sql(`update holds set source = 'recall', category = 'recall' where hold_id = $1`, [
      data.holdId,
    ]);
    const answer = await release(data.holdId);
    expect([answer.status, answer.reason]).toEqual([400, 'recall_hold']);
    expect((await read(data.holdId)).status).toBe('active');
  });

  it('stop transfers of what they cover, and no others', async () => {
    const { hold, transfer, quantities } = await stocked('batch', 5);
    const some = (await hold({ quantity: 2 })).data;
    expect((await transfer(4)).reason).toBe('stock_held');
    expect((await transfer(3)).status).toBe(200);
    await release(some.holdId);
    const all = (await hold({ warehouse: 'WH-1' })).data;
    expect((await transfer(1)).reason).toBe('stock_held');
    await release(all.holdId);
    expect((await transfer(2)).status).toBe(200);
    expect(await quantities('WH-2')).toEqual([5, 5, 0]);

    const pumps = await stocked('serial', 3);
    await pumps.hold({ serials: ['S1'] });
    expect((await pumps.transfer(2, { serials: ['S1', 'S2'] })).reason).toBe('stock_held');
    expect((await pumps.transfer(2, { serials: ['S2', 'S3'] })).status).toBe(200);
  });

  it('block what is transferred into a warehouse they cover', async () => {
    const { hold, transfer, quantities } = await stocked('batch', 5);
    await hold({ warehouse: 'WH-2' });
    expect((await transfer(2)).status).toBe(200);
    expect([await quantities('WH-1'), await quantities('WH-2')]).toEqual([
      [3, 3, 0],
      [2, 0, 2],
    ]);
    expect((await transfer(1, { from: 'WH-2', to: 'WH-1' })).reason).toBe('stock_held');
  });

  it('stand in the ledger without moving anything, and in the audit with who and why', async () => {
    const { productCode, hold } = await stocked('serial', 2, 1);
    const { data } = await hold({ serials: ['S1', 'S3'], reason: 'recheck' });
    service.db.clock.advance(1_000);
    const { data: released } = await release(data.holdId, { reason: 'fine' });
    service.db.clock.set(NOW);
    const { data: ledger } = await service.call<{ items: Record<string, unknown>[] }>(
      'GET',
      `/v2/stock/movements?documentId=${data.holdId}`,
    );
    const seen = ledger.items.map((m) => [
      m.kind,
      m.warehouse,
      m.quantity,
      m.quantityDelta,
      m.serials,
      m.reason,
    ]);
    expect(seen.sort()).toEqual([
      ['hold', 'WH-1', 1, 0, ['S1'], 'recheck'],
      ['hold', 'WH-2', 1, 0, ['S3'], 'recheck'],
      ['release', 'WH-1', 1, 0, ['S1'], 'fine'],
      ['release', 'WH-2', 1, 0, ['S3'], 'fine'],
    ]);
    expect(ledger.items[0]).toMatchObject({
      productCode,
      actor,
      document: { type: 'hold', id: data.holdId },
    });
    const entries = await service.db.sql<{ before: object | null; after: object }>(
      'select action, actor, reason, before, after from audit_entries where entity_id = $1 order by entry_id',
      [data.holdId],
    );
    const { status: _active, ...held } = data;
    const { status: _released, ...freed } = released;
    expect(entries).toEqual([
      { action: 'stock.hold', actor, reason: 'recheck', before: null, after: held },
      { action: 'stock.release', actor, reason: 'fine', before: held, after: freed },
    ]);
  });

  it('are refused by each rule with its reason', async () => {
    const { productCode } = await stocked('batch', 5, 5);
    const pumps = await stocked('serial', 2);
    const gone = await stocked('batch', 1);
    await gone.adjust(-1);
    const refusals: [body: object, reason: string, path: string][] = [
      [{ productCode: 'NOPE' }, 'unknown_reference', '/productCode'],
      [{ warehouse: 'NOPE' }, 'unknown_reference', '/warehouse'],
      [{ batchNo: 'NOPE' }, 'unknown_reference', '/batchNo'],
      [{ batchNo: undefined }, 'batch_required', '/batchNo'],
      [{ productCode: 'GLOVE-1' }, 'batch_not_tracked', '/batchNo'],
      [{ quantity: 2 }, 'warehouse_required', '/warehouse'],
      [{ quantity: 6, warehouse: 'WH-1' }, 'insufficient_stock', '/quantity'],
      [{ productCode: gone.productCode, quantity: 1 }, 'insufficient_stock', '/quantity'],
      [{ serials: ['X'] }, 'serials_not_tracked', '/serials'],
      [{ productCode: pumps.productCode, quantity: 1 }, 'serials_required', '/serials'],
      [{ productCode: pumps.productCode, serials: ['S1'], quantity: 2 }, 'serials_required', '/serials'],
      [{ productCode: pumps.productCode, serials: ['S9'] }, 'serial_not_in_stock', '/serials'],
      [
        { productCode: pumps.productCode, serials: ['S1'], warehouse: 'WH-2' },
        'serial_not_in_stock',
        '/serials',
      ],
      [{ quantity: 0 }, 'out_of_range', '/quantity'],
      [{ serials: [] }, 'bad_item_count', '/serials'],
      [{ serials: ['A', 'A'] }, 'duplicate_item', '/serials'],
      [{ reason: undefined }, 'required', '/reason'],
      [{ source: 'recall' }, 'unknown_field', '/source'],
    ];
    for (const [body, reason, path] of refusals) {
      const answer = await service.call('POST', '/v2/stock/holds', {
        productCode,
        batchNo: 'B1',
        reason: 'damp',
        ...body,
      });
      expect([body, answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([
        body,
        400,
        reason,
        path,
      ]);
    }
  });

  it('that are unknown, or of another organization, are 404', async () => {
    const stranger = await newOrganization(service.db);
    const { hold } = await stocked('batch', 5);
    const { data } = await hold();
    const path = `/v2/stock/holds/${data.holdId}`;
    for (const [at, key] of [
      ['/v2/stock/holds/hld_nope', undefined],
      [path, stranger.key],
    ] as const) {
      expect((await service.call('GET', at, undefined, key)).code).toBe(1004);
      expect((await service.call('POST', `${at}/release`, {}, key)).code).toBe(1004);
    }
    expect((await release(data.holdId, { why: 'x' })).reason).toBe('unknown_field');
    // An empty body on an action means {}.
    expect((await service.call('POST', `${path}/release`)).reason).toBe('release_reason_required');
  });

  it('are listed newest first, by product, batch and status, page by page', async () => {
    const { productCode, hold } = await stocked('batch', 5);
    const made: string[] = [];
    for (let i = 0; i < 5; i++) {
      service.db.clock.advance(1_000);
      made.unshift((await hold({ quantity: 1 })).data.holdId);
    }
    service.db.clock.set(NOW);
    await release(made[1] ?? '');
    const ids = async (query: string) => {
      const { data } = await service.call<{ items: Hold[]; nextCursor: string | null }>(
        'GET',
        `/v2/stock/holds?productCode=${productCode}${query}`,
      );
      return { ids: data.items.map((item) => item.holdId), next: data.nextCursor };
    };
    expect((await ids('')).ids).toEqual(made);
    expect((await ids('&batchNo=B1&status=released')).ids).toEqual([made[1]]);
    expect((await ids('&status=active')).ids).toEqual(made.filter((_, i) => i !== 1));
    expect((await ids('&batchNo=B2')).ids).toEqual([]);
    const first = await ids('&limit=2');
    expect(first.ids).toEqual(made.slice(0, 2));
    expect((await ids(`&limit=200&cursor=${first.next}`)).ids).toEqual(made.slice(2));
  });
});
