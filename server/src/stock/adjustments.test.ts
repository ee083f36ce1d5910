import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, openTestService } from '../../test/harness/index.js';
import type { InventoryRecord } from './inventory.rules.js';

interface Movement {
  movementId: string;
  kind: string;
  quantityDelta: number;
  document: { id: string };
  [field: string]: unknown;
}

const NOW = '2026-11-15T10:00:00.000Z';

describe('adjustments', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  let actor: string;
  let batches = 0;
  const newBatch = () => `ADJ-${++batches}`;

  beforeAll(async () => {
    service = await openTestService();
    actor = `owner@${service.org.organization.code}.example`;
  });
  afterAll(() => service.close());

  const adjust = (body: object) =>
    service.call<Movement>('POST', '/v2/stock/adjustments', {
      productCode: GTIN,
      warehouse: 'WH-1',
      reason: 'count',
      ...body,
    });
  const quantityOf = async (batchNo: string, productCode = GTIN, warehouse = 'WH-1') => {
    const { data } = await service.call<InventoryRecord>(
      'GET',
      `/v2/inventory?productCode=${productCode}&warehouse=${warehouse}`,
    );
    return data.batches.find((batch) => batch.batchNo === batchNo)?.quantity ?? 0;
  };
  const traces = async () => {
    const [row] = await service.db.sql<{ movements: number; entries: number }>(
      `select (select count(*)::integer from movements) as movements, (select count(*)::integer from audit_entries) as entries`,
    );
    return row;
  };

  it('open a batch, and answer with the movement that stands in the ledger', async () => {
    const batchNo = newBatch();
    const { status, data } = await adjust({
      batchNo,
      quantityDelta: 7,
      expiryDate: '2028-01-01',
      manufactureDate: '2026-01-01',
      occurredAt: '2026-11-14T08:00:00Z',
    });
    expect(status).toBe(200);
    expect(data).toEqual({
      movementId: expect.stringMatching(/^mov_/),
      kind: 'adjustment',
      productCode: GTIN,
      warehouse: 'WH-1',
      batchNo,
      quantity: 7,
      quantityDelta: 7,
      serials: [],
      document: { type: 'adjustment', id: expect.stringMatching(/^adj_/), no: null, line: null },
      counterparty: null,
      reason: 'count',
      unmatched: false,
      dispatchId: null,
      holdId: null,
      correction: null,
      occurredAt: '2026-11-14T08:00:00.000Z',
      recordedAt: NOW,
      actor,
    });
    const listed = await service.call<{ items: Movement[] }>('GET', `/v2/stock/movements?batchNo=${batchNo}`);
    expect(listed.data.items).toEqual([{ ...data, productName: 'Coronary stent 3.0×18' }]);
    expect(await quantityOf(batchNo)).toBe(7);
  });

  it('take from a batch that is known without naming its expiry again, down to nothing', async () => {
    const batchNo = newBatch();
    await adjust({ batchNo, quantityDelta: 5, expiryDate: '2028-01-01' });
    expect((await adjust({ batchNo, quantityDelta: -2 })).data).toMatchObject({
      quantity: 2,
      quantityDelta: -2,
    });
    expect((await adjust({ batchNo, quantityDelta: -3, expiryDate: '2028-01-01' })).status).toBe(200);
    expect(await quantityOf(batchNo)).toBe(0);
    // It comes back under what is known of it.
    expect((await adjust({ batchNo, quantityDelta: 1 })).status).toBe(200);
  });

  it('leave an audit entry with the balance before and after, the reason and who it was', async () => {
    const batchNo = newBatch();
    await adjust({ batchNo, quantityDelta: 5, expiryDate: null });
    const { data: movement } = await adjust({ batchNo, quantityDelta: -1, reason: 'breakage' });
    const entries = await service.db.sql<{ before: { quantity: number }; after: unknown }>(
      `select action, actor, reason, before, after from audit_entries where entity_type = 'batch' and entity_id = $1`,
      [`${GTIN}/${batchNo}`],
    );
    const balance = { warehouse: 'WH-1', batchNo, reserved: 0, held: 0, wholeHolds: 0 };
    expect(entries.find((entry) => entry.before.quantity === 5)).toEqual({
      action: 'stock.adjust',
      actor,
      reason: 'breakage',
      before: { ...balance, quantity: 5 },
      after: { ...balance, quantity: 4, movement },
    });
    expect(entries).toHaveLength(2);
  });

  it('need no batch for a product that has none', async () => {
    expect((await adjust({ productCode: 'GLOVE-1', quantityDelta: 10 })).data.batchNo).toBe('');
    expect((await adjust({ productCode: 'GLOVE-1', batchNo: '', quantityDelta: -4 })).status).toBe(200);
    expect(await quantityOf('', 'GLOVE-1')).toBe(6);
  });

  it('go to the far end of what can be counted, and are refused beyond', async () => {
    const batchNo = newBatch();
    const full = await adjust({ batchNo, quantityDelta: 2_000_000_000, expiryDate: null });
    expect(full.status).toBe(200);
    const more = await adjust({ batchNo, quantityDelta: 1 });
    expect([more.status, more.reason]).toEqual([400, 'quantity_too_large']);
    await adjust({ batchNo, quantityDelta: 1, warehouse: 'WH-2' });
    const moved = await service.call('POST', '/v2/stock/transfers', {
      productCode: GTIN,
      batchNo,
      from: 'WH-2',
      to: 'WH-1',
      quantity: 1,
    });
    expect([moved.status, moved.reason]).toEqual([400, 'quantity_too_large']);
    const { data } = await service.call<InventoryRecord>('GET', `/v2/inventory?productCode=${GTIN}`);
    expect(data.batches.find((batch) => batch.batchNo === batchNo)?.quantity).toBe(2_000_000_001);
    await adjust({ batchNo, quantityDelta: -2_000_000_000 });
  });

  it('never go into what is reserved, with or without serials', async () => {
    const batchNo = newBatch();
    await adjust({ batchNo, quantityDelta: 5, expiryDate: null });
    await service.db.sql('update balances set reserved = 3 where batch_no = $1', [batchNo]);
    const refused = await adjust({ batchNo, quantityDelta: -3 });
    expect([refused.status, refused.reason]).toEqual([400, 'stock_reserved']);
    expect((await adjust({ batchNo, quantityDelta: -2 })).status).toBe(200);
    expect((await adjust({ batchNo, quantityDelta: -1 })).reason).toBe('stock_reserved');

    const units = { productCode: 'PUMP-1', batchNo };
    await adjust({ ...units, quantityDelta: 3, expiryDate: null, serials: ['R1', 'R2', 'R3'] });
    await service.db.sql(`update balances set reserved = 2 where batch_no = $1 and product_code = 'PUMP-1'`, [
      batchNo,
    ]);
    expect((await adjust({ ...units, quantityDelta: -1, serials: ['R1'] })).status).toBe(200);
    expect((await adjust({ ...units, quantityDelta: -1, serials: ['R2'] })).reason).toBe('stock_reserved');
    await service.db.sql('update balances set reserved = 0 where batch_no = $1', [batchNo]);
  });

  it('are refused by each rule with its reason, and then leave nothing behind', async () => {
    const batchNo = newBatch();
    await adjust({ batchNo, quantityDelta: 5, expiryDate: '2028-01-01' });
    const units = { productCode: 'PUMP-1', batchNo: 'PUMPS', expiryDate: null };
    await adjust({ ...units, quantityDelta: 2, serials: ['A1', 'A2'] });
    const before = await traces();
    const refusals: [body: object, reason: string, path: string][] = [
      [{ productCode: 'NOPE', quantityDelta: 1 }, 'unknown_reference', '/productCode'],
      [{ batchNo, warehouse: 'NOPE', quantityDelta: 1 }, 'unknown_reference', '/warehouse'],
      [{ quantityDelta: 1 }, 'batch_required', '/batchNo'],
      [{ batchNo: '', quantityDelta: 1 }, 'batch_required', '/batchNo'],
      [{ productCode: 'GLOVE-1', batchNo: 'B', quantityDelta: 1 }, 'batch_not_tracked', '/batchNo'],
      [{ batchNo: newBatch(), quantityDelta: 1 }, 'expiry_date_required', '/expiryDate'],
      [{ batchNo, quantityDelta: 1, expiryDate: '2028-01-02' }, 'batch_expiry_mismatch', '/expiryDate'],
      [{ batchNo, quantityDelta: 1, expiryDate: null }, 'batch_expiry_mismatch', '/expiryDate'],
      [{ batchNo, quantityDelta: -6 }, 'insufficient_stock', '/quantityDelta'],
      [{ batchNo, quantityDelta: -1, warehouse: 'WH-2' }, 'insufficient_stock', '/quantityDelta'],
      [{ batchNo: newBatch(), quantityDelta: -1, expiryDate: null }, 'insufficient_stock', '/quantityDelta'],
      [{ batchNo, quantityDelta: 1, serials: ['X'] }, 'serials_not_tracked', '/serials'],
      [{ ...units, quantityDelta: 1 }, 'serials_required', '/serials'],
      [{ ...units, quantityDelta: 2, serials: ['X'] }, 'serials_required', '/serials'],
      [{ ...units, quantityDelta: -1, serials: [] }, 'serials_required', '/serials'],
      [{ ...units, quantityDelta: 1, serials: ['A1'] }, 'serial_in_stock', '/serials'],
      [{ ...units, warehouse: 'WH-2', quantityDelta: 1, serials: ['A1'] }, 'serial_in_stock', '/serials'],
      [{ ...units, batchNo: 'PUMPS-2', quantityDelta: 1, serials: ['A1'] }, 'serial_in_stock', '/serials'],
      [{ ...units, quantityDelta: -1, serials: ['NOPE'] }, 'serial_not_in_stock', '/serials'],
      [
        { ...units, warehouse: 'WH-2', quantityDelta: -1, serials: ['A1'] },
        'serial_not_in_stock',
        '/serials',
      ],
      [{ batchNo, quantityDelta: 1, occurredAt: '2026-11-15T10:05:00.001Z' }, 'in_the_future', '/occurredAt'],
    ];
    for (const [body, reason, path] of refusals) {
      const answer = await adjust(body);
      expect([body, answer.status, answer.code, answer.reason, answer.json.errors[0]?.path]).toEqual([
        body,
        400,
        1001,
        reason,
        path,
      ]);
    }
    expect(await traces()).toEqual(before);
    expect(await quantityOf(batchNo)).toBe(5);
  });

  it('are refused when their shape is wrong', async () => {
    const refusals: [body: object, reason: string, path: string][] = [
      [{ quantityDelta: undefined }, 'required', '/quantityDelta'],
      [{ productCode: undefined }, 'required', '/productCode'],
      [{ warehouse: undefined }, 'required', '/warehouse'],
      [{ reason: undefined }, 'required', '/reason'],
      [{ reason: '' }, 'bad_length', '/reason'],
      [{ quantityDelta: 0 }, 'invalid_value', '/quantityDelta'],
      [{ quantityDelta: 1.5 }, 'wrong_type', '/quantityDelta'],
      [{ quantityDelta: '1' }, 'wrong_type', '/quantityDelta'],
      [{ quantityDelta: 2_000_000_001 }, 'out_of_range', '/quantityDelta'],
      [{ quantityDelta: -2_000_000_001 }, 'out_of_range', '/quantityDelta'],
      [{ batchNo: ' B' }, 'bad_format', '/batchNo'],
      [{ batchNo: 'B\n' }, 'bad_format', '/batchNo'],
      [{ batchNo: 'x'.repeat(65) }, 'bad_length', '/batchNo'],
      [{ batchNo: null }, 'wrong_type', '/batchNo'],
      [{ expiryDate: '2028-02-30' }, 'bad_format', '/expiryDate'],
      [{ expiryDate: '01/02/2028' }, 'bad_format', '/expiryDate'],
      [{ serials: ['A', 'A'] }, 'duplicate_item', '/serials'],
      [{ serials: [''] }, 'bad_length', '/serials/0'],
      [{ occurredAt: '2026-11-15 10:00' }, 'bad_format', '/occurredAt'],
      [{ quantity: 1 }, 'unknown_field', '/quantity'],
    ];
    for (const [body, reason, path] of refusals) {
      const answer = await adjust({ batchNo: 'SHAPE', quantityDelta: 1, ...body });
      expect([body, answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([
        body,
        400,
        reason,
        path,
      ]);
    }
  });

  describe('of a product tracked by serial number', () => {
    const units = (quantityDelta: number, serials: string[], extra: object = {}) =>
      adjust({ productCode: 'PUMP-1', batchNo: 'SER', expiryDate: null, quantityDelta, serials, ...extra });

    it('name each serialized unit, which leaves and returns as itself, in any warehouse, in its own batch', async () => {
      expect((await units(3, ['S1', 'S2', 'S3'])).data.serials).toEqual(['S1', 'S2', 'S3']);
      expect((await units(-2, ['S3', 'S1'])).status).toBe(200);
      expect((await units(-1, ['S1'])).reason).toBe('serial_not_in_stock');
      const elsewhere = await units(1, ['S1'], { batchNo: 'SER-2' });
      expect([elsewhere.status, elsewhere.reason]).toEqual([400, 'serial_batch_mismatch']);
      expect((await units(1, ['S1'], { warehouse: 'WH-2' })).status).toBe(200);
      expect(await quantityOf('SER', 'PUMP-1')).toBe(1);
      expect(await quantityOf('SER', 'PUMP-1', 'WH-2')).toBe(1);
      const { data } = await service.call<{ items: Movement[] }>('GET', '/v2/stock/movements?serialNo=S1');
      expect(data.items.map((movement) => movement.quantityDelta).sort()).toEqual([-2, 1, 3]);
    });

    it('add one serialized unit once when two callers bring it at the same time', async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => units(1, ['ONCE'])));
      expect(answers.map((answer) => answer.reason ?? 'taken').sort()).toEqual(
        ['taken', ...Array.from({ length: 5 }, () => 'serial_in_stock')].sort(),
      );
    });
  });

  it('of one batch by many callers at once never take more than there is', async () => {
    const batchNo = newBatch();
    await adjust({ batchNo, quantityDelta: 10, expiryDate: null });
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => adjust({ batchNo, quantityDelta: -1 })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(10);
    expect(new Set(answers.filter((a) => a.status !== 200).map((a) => a.reason))).toEqual(
      new Set(['insufficient_stock']),
    );
    expect(await quantityOf(batchNo)).toBe(0);
  });

  it('that open the same batch at once agree on its expiry, or are refused', async () => {
    const batchNo = newBatch();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        adjust({ batchNo, quantityDelta: 1, expiryDate: `2028-01-0${1 + (i % 2)}` }),
      ),
    );
    const reasons = answers.map((answer) => answer.reason ?? 'taken').sort();
    expect(reasons).toEqual([
      ...Array.from({ length: 3 }, () => 'batch_expiry_mismatch'),
      ...Array.from({ length: 3 }, () => 'taken'),
    ]);
  });
});
