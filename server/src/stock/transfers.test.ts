import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, newOrganization, openTestService } from '../../test/harness/index.js';
import type { InventoryRecord } from './inventory.rules.js';

interface Movement {
  movementId: string;
  kind: string;
  warehouse: string;
  quantityDelta: number;
  recordedAt: string;
  [field: string]: unknown;
}
interface Page {
  items: Movement[];
  nextCursor: string | null;
}

const NOW = '2026-11-15T10:00:00.000Z';

let service: Awaited<ReturnType<typeof openTestService>>;
let actor: string;
beforeAll(async () => {
  service = await openTestService();
  actor = `owner@${service.org.organization.code}.example`;
});
afterAll(() => service.close());

const adjust = async (body: object) => {
  const answer = await service.call<Movement>('POST', '/v2/stock/adjustments', {
    productCode: GTIN,
    warehouse: 'WH-1',
    reason: 'count',
    expiryDate: null,
    ...body,
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data;
};
const transfer = (body: object) =>
  service.call<Record<string, unknown>>('POST', '/v2/stock/transfers', {
    productCode: GTIN,
    from: 'WH-1',
    to: 'WH-2',
    ...body,
  });
const movements = async (query: string, key?: string) =>
  (await service.call<Page>('GET', `/v2/stock/movements?${query}`, undefined, key)).data;

describe('transfers', () => {
  const byWarehouse = async (batchNo: string, productCode = GTIN) => {
    const { data } = await service.call<{ byWarehouse: InventoryRecord[] }>(
      'GET',
      `/v2/inventory?productCode=${productCode}`,
    );
    return Object.fromEntries(
      data.byWarehouse.map((each) => [
        each.warehouse,
        each.batches.find((batch) => batch.batchNo === batchNo)?.quantity ?? 0,
      ]),
    );
  };

  it('into a warehouse where the batch is on hold notify about low stock; elsewhere they do not', async () => {
    const lowStock = async (productCode: string) =>
      (
        await service.call<{ items: { data: { productCode: string; availableQuantity: number } }[] }>(
          'GET',
          '/v2/events?limit=200&eventType=inventory.low_stock',
        )
      ).data.items
        .filter(({ data }) => data.productCode === productCode)
        .map(({ data }) => data.availableQuantity);
    for (const isHeld of [false, true]) {
      const productCode = isHeld ? 'LOW-HELD' : 'LOW-FREE';
      const input = { productName: 'Stent', tracking: 'batch', safetyStock: 10 };
      expect((await service.call('PUT', `/v2/products/${productCode}`, input)).status).toBe(200);
      await adjust({ productCode, batchNo: 'L', quantityDelta: 12 });
      if (isHeld) {
        const hold = { productCode, batchNo: 'L', warehouse: 'WH-2', reason: 'quarantine' };
        await adjust({ productCode, warehouse: 'WH-2', batchNo: 'L', quantityDelta: 1 });
        expect((await service.call('POST', '/v2/stock/holds', hold)).status).toBe(200);
      }
      expect(await lowStock(productCode)).toEqual([]);
      expect((await transfer({ productCode, batchNo: 'L', quantity: 2 })).status).toBe(200);
      expect(await lowStock(productCode)).toEqual([]);
      expect((await transfer({ productCode, batchNo: 'L', quantity: 1 })).status).toBe(200);
      expect(await lowStock(productCode)).toEqual(isHeld ? [9] : []);
    }
  });

  it('move stock from one warehouse to another as two movements of one document', async () => {
    await adjust({ batchNo: 'T1', quantityDelta: 8, occurredAt: '2026-11-15T09:00:00Z' });
    const { status, data } = await transfer({
      batchNo: 'T1',
      quantity: 3,
      reason: 'nearer to the wards',
      occurredAt: '2026-11-15T09:30:00Z',
    });
    expect(status).toBe(200);
    expect(data).toEqual({
      transferId: expect.stringMatching(/^trf_/),
      productCode: GTIN,
      batchNo: 'T1',
      from: 'WH-1',
      to: 'WH-2',
      quantity: 3,
      serials: [],
      holdId: null,
      newHoldId: null,
      reason: 'nearer to the wards',
      occurredAt: '2026-11-15T09:30:00.000Z',
      createdAt: NOW,
      createdBy: actor,
    });
    const same = {
      unmatched: false,
      dispatchId: null,
      holdId: null,
      correction: null,
      movementId: expect.stringMatching(/^mov_/),
      productCode: GTIN,
      productName: 'Coronary stent 3.0×18',
      batchNo: 'T1',
      quantity: 3,
      serials: [],
      document: { type: 'transfer', id: data.transferId, no: null, line: null },
      reason: 'nearer to the wards',
      occurredAt: '2026-11-15T09:30:00.000Z',
      recordedAt: NOW,
      actor,
    };
    const { items } = await movements(`documentId=${data.transferId}`);
    expect(items.sort((a, b) => a.quantityDelta - b.quantityDelta)).toEqual([
      {
        ...same,
        kind: 'transfer_out',
        warehouse: 'WH-1',
        quantityDelta: -3,
        counterparty: { type: 'warehouse', code: 'WH-2' },
      },
      {
        ...same,
        kind: 'transfer_in',
        warehouse: 'WH-2',
        quantityDelta: 3,
        counterparty: { type: 'warehouse', code: 'WH-1' },
      },
    ]);
    expect(await byWarehouse('T1')).toEqual({ 'WH-1': 5, 'WH-2': 3 });
    const [entry] = await service.db.sql<Record<string, unknown>>(
      'select action, actor, reason, before, after from audit_entries where entity_id = $1',
      [data.transferId],
    );
    const balance = (warehouse: string, quantity: number) => ({
      warehouse,
      batchNo: 'T1',
      quantity,
      reserved: 0,
      held: 0,
      wholeHolds: 0,
    });
    expect(entry).toEqual({
      action: 'stock.transfer',
      actor,
      reason: 'nearer to the wards',
      before: [balance('WH-1', 8), balance('WH-2', 0)],
      after: { transfer: data, balances: [balance('WH-1', 5), balance('WH-2', 3)] },
    });
  });

  it('move expired stock too, and need no reason', async () => {
    await adjust({ batchNo: 'T2', quantityDelta: 2, expiryDate: '2020-01-01' });
    expect((await transfer({ batchNo: 'T2', quantity: 2, reason: null })).data.reason).toBeNull();
    expect(await byWarehouse('T2')).toMatchObject({ 'WH-2': 2 });
  });

  it('move serialized units by their serials', async () => {
    const units = { productCode: 'PUMP-1', batchNo: 'T3' };
    await adjust({ ...units, quantityDelta: 3, serials: ['S1', 'S2', 'S3'] });
    expect((await transfer({ ...units, quantity: 2, serials: ['S1', 'S3'] })).data.serials).toEqual([
      'S1',
      'S3',
    ]);
    expect((await transfer({ ...units, quantity: 1, serials: ['S1'] })).reason).toBe('serial_not_in_stock');
    const back = { ...units, from: 'WH-2', to: 'WH-1', quantity: 1 };
    expect((await transfer({ ...back, serials: ['S1'] })).status).toBe(200);
    expect(await byWarehouse('T3', 'PUMP-1')).toEqual({ 'WH-1': 2, 'WH-2': 1 });
  });

  it('take neither what is reserved nor more than there is', async () => {
    await adjust({ batchNo: 'T4', quantityDelta: 5 });
    await service.db.sql(`update balances set reserved = 4 where batch_no = 'T4'`);
    expect((await transfer({ batchNo: 'T4', quantity: 2 })).reason).toBe('stock_reserved');
    expect((await transfer({ batchNo: 'T4', quantity: 6 })).reason).toBe('insufficient_stock');
    expect((await transfer({ batchNo: 'T4', quantity: 1 })).status).toBe(200);
    await service.db.sql(`update balances set reserved = 0 where batch_no = 'T4'`);
  });

  it('in both directions at once, by many callers, lose and invent nothing', async () => {
    await adjust({ batchNo: 'T5', quantityDelta: 10 });
    await adjust({ batchNo: 'T5', quantityDelta: 10, warehouse: 'WH-2' });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        transfer({
          batchNo: 'T5',
          quantity: 1 + (i % 3),
          ...(i % 2 === 0 ? {} : { from: 'WH-2', to: 'WH-1' }),
        }),
      ),
    );
    expect(answers.every((answer) => answer.status === 200 || answer.reason === 'insufficient_stock')).toBe(
      true,
    );
    const { 'WH-1': first = 0, 'WH-2': second = 0 } = await byWarehouse('T5');
    expect(first + second).toBe(20);
  });

  it('are refused by each rule with its reason, and then leave nothing behind', async () => {
    await adjust({ batchNo: 'T6', quantityDelta: 5 });
    const [before] = await service.db.sql('select count(*) from movements');
    const refusals: [body: object, reason: string, path: string][] = [
      [{ batchNo: 'T6', quantity: 1, to: 'WH-1' }, 'same_warehouse', '/to'],
      [{ batchNo: 'T6', quantity: 1, productCode: 'NOPE' }, 'unknown_reference', '/productCode'],
      [{ batchNo: 'T6', quantity: 1, from: 'NOPE' }, 'unknown_reference', '/from'],
      [{ batchNo: 'T6', quantity: 1, to: 'NOPE' }, 'unknown_reference', '/to'],
      [{ batchNo: 'NOPE', quantity: 1 }, 'unknown_reference', '/batchNo'],
      [{ quantity: 1 }, 'batch_required', '/batchNo'],
      [{ batchNo: 'T6', quantity: 1, productCode: 'GLOVE-1' }, 'batch_not_tracked', '/batchNo'],
      [{ batchNo: 'T6', quantity: 6 }, 'insufficient_stock', '/quantity'],
      [{ batchNo: 'T6', quantity: 1, from: 'WH-2', to: 'WH-1' }, 'insufficient_stock', '/quantity'],
      [{ batchNo: 'T6', quantity: 1, serials: ['X'] }, 'serials_not_tracked', '/serials'],
      [{ productCode: 'PUMP-1', batchNo: 'T3', quantity: 1 }, 'serials_required', '/serials'],
      [{ batchNo: 'T6', quantity: 1, occurredAt: '2026-11-15T10:05:01Z' }, 'in_the_future', '/occurredAt'],
      [{ batchNo: 'T6', quantity: 0 }, 'out_of_range', '/quantity'],
      [{ batchNo: 'T6', quantity: -1 }, 'out_of_range', '/quantity'],
      [{ batchNo: 'T6' }, 'required', '/quantity'],
      [{ batchNo: 'T6', quantity: 1, from: undefined }, 'required', '/from'],
      [{ batchNo: 'T6', quantity: 1, warehouse: 'WH-1' }, 'unknown_field', '/warehouse'],
    ];
    for (const [body, reason, path] of refusals) {
      const answer = await transfer(body);
      expect([body, answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([
        body,
        400,
        reason,
        path,
      ]);
    }
    expect(await service.db.sql('select count(*) from movements')).toEqual([before]);
  });

  it('name an unknown warehouse and a batch of a product that has none together', async () => {
    const { json } = await transfer({ batchNo: 'T6', quantity: 1, productCode: 'GLOVE-1', to: 'NOPE' });
    expect(json.errors.map(({ path, reason }) => [path, reason])).toEqual([
      ['/to', 'unknown_reference'],
      ['/batchNo', 'batch_not_tracked'],
    ]);
  });
});

describe('the ledger', () => {
  const made: Movement[] = [];
  beforeAll(async () => {
    service.db.clock.set('2026-12-01T00:00:00.000Z');
    const put = (code: string, tracking: string) =>
      service.call('PUT', `/v2/products/${code}`, { productName: code, tracking });
    await put('LEDGER', 'batch');
    await put('LEDGER-S', 'serial');
    const bodies = [
      { productCode: 'LEDGER', batchNo: 'A', quantityDelta: 9 },
      { productCode: 'LEDGER', batchNo: 'A', quantityDelta: -1 },
      { productCode: 'LEDGER', batchNo: 'B', quantityDelta: 4 },
      { productCode: 'LEDGER', batchNo: 'B', quantityDelta: 2, warehouse: 'WH-2' },
      { productCode: 'LEDGER-S', batchNo: 'A', quantityDelta: 2, serials: ['X1', 'X2'] },
      { productCode: 'LEDGER-S', batchNo: 'A', quantityDelta: -1, serials: ['X1'] },
    ];
    for (const body of bodies) {
      service.db.clock.advance(60_000);
      made.unshift({ ...(await adjust({ ...body, expiryDate: null })), productName: body.productCode });
    }
  });
  const all = 'since=2026-12-01T00:00:00Z';

  it.each<[query: string, places: number[]]>([
    [all, [0, 1, 2, 3, 4, 5]],
    ['productCode=LEDGER', [2, 3, 4, 5]],
    ['productCode=LEDGER&batchNo=A', [4, 5]],
    ['productCode=LEDGER&warehouse=WH-2', [2]],
    [`${all}&warehouse=WH-2`, [2]],
    [`${all}&kind=transfer_in`, []],
    [`${all}&kind=adjustment&batchNo=B`, [2, 3]],
    ['serialNo=X1', [0, 1]],
    ['productCode=LEDGER-S&serialNo=X2', [1]],
    ['productCode=LEDGER&serialNo=X2', []],
    ['since=2026-12-01T00:05:00Z', [0, 1]],
    [`${all}&until=2026-12-01T00:03:00Z`, [4, 5]],
    ['since=2026-12-01T00:02:00Z&until=2026-12-01T00:04:00Z', [3, 4]],
    ['productCode=NOPE', []],
  ])('lists by %s, newest first', async (query, places) => {
    expect((await movements(query)).items).toEqual(places.map((place) => made[place]));
  });

  it('pages without skipping or repeating while it grows', async () => {
    const seen: Movement[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await movements(`${all}&limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.items);
      cursor = page.nextCursor;
      service.db.clock.advance(60_000);
      await adjust({ productCode: 'LEDGER', batchNo: 'A', quantityDelta: 1 });
    } while (cursor !== null);
    expect(seen).toEqual(made);
  });

  it('adds up to what is in stock', async () => {
    const { items } = await movements('productCode=LEDGER&limit=200');
    const { data } = await service.call<InventoryRecord>('GET', '/v2/inventory?productCode=LEDGER');
    expect(items.reduce((sum, item) => sum + item.quantityDelta, 0)).toBe(data.totalQuantity);
  });

  it('shows an organization only its own', async () => {
    const other = await newOrganization(service.db);
    expect(await movements('', other.key)).toEqual({ items: [], nextCursor: null });
  });

  it('cannot be changed or shortened by the service itself', async () => {
    const [role] = await service.db.sql<{ name: string }>(
      `select name from service_roles where kind = 'app'`,
    );
    for (const table of ['movements', 'movement_serials', 'audit_entries', 'batches']) {
      for (const right of ['update', 'delete', 'truncate']) {
        const [row] = await service.db.sql(`select has_table_privilege($1, $2, $3) as may`, [
          role?.name,
          `lotward.${table}`,
          right,
        ]);
        expect([table, right, row]).toEqual([table, right, { may: false }]);
      }
    }
  });

  it('refuses conditions it cannot read', async () => {
    for (const [query, reason] of [
      ['kind=theft', 'not_allowed'],
      ['since=yesterday', 'bad_format'],
      ['limit=201', 'out_of_range'],
      ['cursor=AAAA', 'bad_cursor'],
      ['actor=me', 'unknown_parameter'],
    ] as const) {
      const answer = await service.call('GET', `/v2/stock/movements?${query}`);
      expect([query, answer.status, answer.reason]).toEqual([query, 400, reason]);
    }
  });
});
