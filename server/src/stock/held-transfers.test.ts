import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestService } from '../../test/harness/index.js';
import { connectSlices } from '../app/connect-slices.js';
import { isHoldInDisposition } from './stock-hooks.js';
import { verifyStock } from './verify-stock.js';

interface Hold {
  holdId: string;
  category: string;
  warehouse: string | null;
  extent: string;
  quantity: number | null;
  serials: string[];
  splitFrom: string | null;
  [field: string]: unknown;
}
interface Transfer {
  transferId: string;
  holdId: string | null;
  newHoldId: string | null;
}

describe('goods on hold', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  let warehouse: string;
  let products = 0;

  beforeAll(async () => {
    service = await openTestService();
    warehouse = (await service.org.newKey({ scopes: ['inventory:write'] })).apiKey;
  });
  afterAll(async () => {
    const { orgId } = service.org.organization;
    expect(await verifyStock(service.db.database, orgId)).toMatchObject({ ok: true });
    await service.close();
  });

  const must = async <D>(method: string, path: string, body?: object, key?: string): Promise<D> => {
    const answer = await service.call<D>(method, path, body, key);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.data;
  };
  const read = (holdId: string | null) => must<Hold>('GET', `/v2/stock/holds/${holdId}`);

  /** A product of its own for each test, with batch B1 in WH-1 and WH-2. */
  async function stocked(tracking: 'batch' | 'serial', inFirst: number, inSecond = 0) {
    const productCode = `MOVED-${++products}`;
    await must('PUT', `/v2/products/${productCode}`, { productName: 'Moved', tracking });
    const goods = { productCode, batchNo: 'B1' };
    const names = (from: number, count: number) =>
      tracking === 'serial' ? { serials: Array.from({ length: count }, (_, i) => `S${from + i}`) } : {};
    const enter = (at: string, quantityDelta: number, part: object) =>
      must('POST', '/v2/stock/adjustments', {
        ...goods,
        ...{ warehouse: at, quantityDelta, reason: 'count', expiryDate: null },
        ...part,
      });
    await enter('WH-1', inFirst, names(1, inFirst));
    if (inSecond > 0) await enter('WH-2', inSecond, names(inFirst + 1, inSecond));
    const hold = (part: object = {}) =>
      must<Hold>('POST', '/v2/stock/holds', { ...goods, reason: 'damp', ...part });
    const move = (holdId: string | undefined, quantity: number, part: object = {}) =>
      service.call<Transfer>(
        'POST',
        '/v2/stock/transfers',
        { ...goods, from: 'WH-1', to: 'WH-2', quantity, holdId, ...part },
        warehouse,
      );
    /** [available, blocked] in WH-1 and in WH-2. */
    const quantities = () =>
      Promise.all(
        ['WH-1', 'WH-2'].map(async (at) => {
          const path = `/v2/inventory?productCode=${productCode}&warehouse=${at}`;
          type Figures = { availableQuantity: number; blockedQuantity: number };
          const { availableQuantity, blockedQuantity } = await must<Figures>('GET', path);
          return [availableQuantity, blockedQuantity];
        }),
      );
    return { productCode, hold, move, quantities };
  }

  it('are moved only by a transfer that names the hold, by the warehouse, of any category', async () => {
    const { hold, move, quantities } = await stocked('batch', 5);
    const { holdId, category } = await hold({ quantity: 5 });
    expect(category).toBe('quality');
    expect((await move(undefined, 1)).reason).toBe('stock_held');
    const { data } = await move(holdId, 5);
    expect(data).toMatchObject({ holdId, newHoldId: null });
    expect(await quantities()).toEqual([
      [0, 0],
      [0, 5],
    ]);
    expect(await read(holdId)).toMatchObject({ warehouse: 'WH-2', quantity: 5, splitFrom: null });
  });

  it('of a part of a hold get a hold of their own, with the same category, source, reason and author', async () => {
    const { hold, move, quantities } = await stocked('batch', 9, 2);
    const before = await hold({ warehouse: 'WH-1', quantity: 5 });
    const { newHoldId } = (await move(before.holdId, 2, { reason: 'to quarantine' })).data;
    expect(await read(before.holdId)).toEqual({ ...before, quantity: 3 });
    const split = { holdId: newHoldId, splitFrom: before.holdId, warehouse: 'WH-2', quantity: 2 };
    expect(await read(newHoldId)).toEqual({ ...before, ...split });
    expect(await quantities()).toEqual([
      [4, 3],
      [2, 2],
    ]);
    const release = { reason: 'dry' };
    await must('POST', `/v2/stock/holds/${newHoldId}/release`, release);
    await must('POST', `/v2/stock/holds/${before.holdId}/release`, release);
    expect(await quantities()).toEqual([
      [7, 0],
      [4, 0],
    ]);
  });

  it('under a hold of the whole batch in one warehouse get a hold of their quantity; the rest stays', async () => {
    const { hold, move, quantities } = await stocked('batch', 5, 3);
    const { holdId } = await hold({ warehouse: 'WH-1' });
    const { newHoldId } = (await move(holdId, 2)).data;
    expect(await read(newHoldId)).toMatchObject({ extent: 'quantity', warehouse: 'WH-2', quantity: 2 });
    expect(await read(holdId)).toMatchObject({ extent: 'batch', warehouse: 'WH-1', quantity: null });
    expect(await quantities()).toEqual([
      [0, 3],
      [3, 2],
    ]);
  });

  it('under a hold of the batch everywhere are simply moved', async () => {
    const { hold, move, quantities } = await stocked('batch', 5);
    const { holdId } = await hold();
    expect((await move(holdId, 2)).data).toMatchObject({ holdId, newHoldId: null });
    expect(await quantities()).toEqual([
      [0, 3],
      [0, 2],
    ]);
    await must('POST', `/v2/stock/holds/${holdId}/release`, { reason: 'dry' });
    expect(await quantities()).toEqual([
      [3, 0],
      [2, 0],
    ]);
  });

  it('with serial numbers stay under every hold that names them, which say where they are', async () => {
    const { hold, move, quantities } = await stocked('serial', 4);
    const two = await hold({ serials: ['S1', 'S2'] });
    const one = await hold({ serials: ['S1'] });
    expect((await move(two.holdId, 1, { serials: ['S1'] })).data).toMatchObject({ newHoldId: null });
    expect([(await read(two.holdId)).warehouse, (await read(one.holdId)).warehouse]).toEqual([null, 'WH-2']);
    expect(await quantities()).toEqual([
      [2, 1],
      [0, 1],
    ]);
    await move(two.holdId, 1, { serials: ['S2'] });
    expect((await read(two.holdId)).warehouse).toBe('WH-2');
    await must('POST', `/v2/stock/holds/${two.holdId}/release`, { reason: 'dry' });
    expect(await quantities()).toEqual([
      [2, 0],
      [1, 1],
    ]);
  });

  it('with serial numbers under a hold of the batch in one warehouse get one of their serial numbers, beside others', async () => {
    const { hold, move, quantities } = await stocked('serial', 3, 1);
    const own = await hold({ serials: ['S1'] });
    const batch = await hold({ warehouse: 'WH-1' });
    expect((await move(own.holdId, 1, { serials: ['S1'] })).reason).toBe('stock_held');
    const { newHoldId } = (await move(batch.holdId, 2, { serials: ['S1', 'S2'] })).data;
    expect(await read(newHoldId)).toMatchObject({
      ...{ extent: 'serials', warehouse: 'WH-2', quantity: 2, serials: ['S1', 'S2'] },
      splitFrom: batch.holdId,
    });
    expect(await quantities()).toEqual([
      [0, 1],
      [1, 2],
    ]);
    await must('POST', `/v2/stock/holds/${newHoldId}/release`, { reason: 'dry' });
    expect(await quantities()).toEqual([
      [0, 1],
      [2, 1],
    ]);
  });

  it('never leave a hold behind: goods under a second one that would stay are refused', async () => {
    const { hold, move, quantities } = await stocked('batch', 5);
    const some = await hold({ quantity: 2 });
    const batch = await hold({ warehouse: 'WH-1' });
    const second = await hold({ warehouse: 'WH-1' });
    const refused = async (holdId: string, quantity: number) => {
      const { json } = await move(holdId, quantity);
      return [json.errors[0]?.reason, json.errors[0]?.path];
    };
    expect(await refused(some.holdId, 1)).toEqual(['stock_held', '/holdId']);
    expect(await refused(batch.holdId, 1)).toEqual(['stock_held', '/holdId']);
    await must('POST', `/v2/stock/holds/${second.holdId}/release`, { reason: 'dry' });
    expect(await refused(batch.holdId, 4)).toEqual(['stock_held', '/quantity']);
    expect((await move(batch.holdId, 3)).status).toBe(200);
    expect(await quantities()).toEqual([
      [0, 2],
      [0, 3],
    ]);
  });

  it('never include reserved stock, and leave what is free where it is', async () => {
    const { productCode, hold, move, quantities } = await stocked('batch', 5);
    const { holdId } = await hold({ quantity: 2 });
    expect((await move(holdId, 3)).json.errors[0]).toMatchObject({
      reason: 'insufficient_stock',
      path: '/quantity',
    });
    await service.db.sql('update balances set reserved = 3 where product_code = $1', [productCode]);
    expect((await move(holdId, 2)).status).toBe(200);
    await service.db.sql('update balances set reserved = 0 where product_code = $1', [productCode]);
    expect(await quantities()).toEqual([
      [3, 0],
      [0, 2],
    ]);
  });

  it('of a recall are moved too, and a part of them belongs to the recall', async () => {
    const { productCode, move } = await stocked('batch', 5);
    const recall = { recallNo: productCode, productCode, batchNos: ['B1'], class: 'II', reason: 'look' };
    const { recallId } = await must<{ recallId: string }>('POST', '/v2/recalls', recall);
    const path = `/v2/stock/holds?productCode=${productCode}&category=recall`;
    const [{ holdId } = { holdId: '' }] = (await must<{ items: Hold[] }>('GET', path)).items;
    expect((await move(holdId, 2)).status).toBe(200);
    // As if it were on one warehouse only.
    await service.db.sql(
      `with one as (update balances set whole_holds = 0 where product_code = $2 and warehouse = 'WH-2'
         returning org_id, product_code, warehouse, quantity),
       marked as (insert into stock_change_marks (org_id, product_code, warehouse, marked_at, expiry_date, total_delta, reserved_delta,
           held_delta, batches_delta, products_delta)
         select org_id, product_code, warehouse, now(), 'infinity', 0, 0, -quantity, 0, 0 from one)
       update holds set warehouse = 'WH-1' where hold_id = $1`,
      [holdId, productCode],
    );
    const { newHoldId } = (await move(holdId, 1)).data;
    expect(await read(newHoldId)).toMatchObject({ category: 'recall', source: 'recall', splitFrom: holdId });
    expect(
      await service.db.sql('select recall_id from recall_holds where hold_id = $1', [newHoldId]),
    ).toEqual([{ recall_id: recallId }]);
    await must('POST', `/v2/stock/holds/${newHoldId}/release`, { reason: 'x' }).catch((error) =>
      expect(String(error)).toContain('recall_hold'),
    );
  });

  it('are refused with the reason when the hold is not theirs', async () => {
    const { productCode, hold, move } = await stocked('batch', 5, 5);
    const other = await stocked('batch', 5);
    const { holdId } = await hold({ warehouse: 'WH-1', quantity: 2 });
    const pumps = await stocked('serial', 3);
    const pump = await pumps.hold({ serials: ['S1'] });
    const released = await hold({ warehouse: 'WH-1', quantity: 1 });
    await must('POST', `/v2/stock/holds/${released.holdId}/release`, { reason: 'dry' });
    const refusals: [() => ReturnType<typeof move>, reason: string, path: string][] = [
      [() => move('hld_none', 1), 'unknown_reference', '/holdId'],
      [() => other.move(holdId, 1), 'hold_mismatch', '/holdId'],
      [() => move(holdId, 1, { from: 'WH-2', to: 'WH-1' }), 'hold_mismatch', '/holdId'],
      [() => pumps.move(pump.holdId, 1, { serials: ['S2'] }), 'hold_mismatch', '/serials'],
      [() => move(released.holdId, 1), 'hold_released', '/holdId'],
      [() => move(holdId, 1, { to: 'NOPE' }), 'unknown_reference', '/to'],
      [() => move(holdId, 1, { to: 'WH-1' }), 'same_warehouse', '/to'],
    ];
    for (const [send, reason, path] of refusals) {
      const { status, json } = await send();
      expect([status, json.errors[0]?.reason, json.errors[0]?.path]).toEqual([400, reason, path]);
    }
    const both = await move('hld_none', 1, { to: 'NOPE' });
    expect(both.json.errors.map((issue) => issue.path)).toEqual(['/to', '/holdId']);
    isHoldInDisposition.connect(async (_tx, id) => id === holdId);
    try {
      expect((await move(holdId, 1)).reason).toBe('hold_in_disposition');
    } finally {
      connectSlices();
    }
    expect(
      await service.db.sql('select 1 from holds where split_from is not null and product_code = $1', [
        productCode,
      ]),
    ).toEqual([]);
  });

  it('stay where they are while a disposition names units of another of their holds', async () => {
    const pumps = await stocked('serial', 3);
    const named = await pumps.hold({ serials: ['S1'] });
    const other = await pumps.hold({ serials: ['S1', 'S2'] });
    const whole = await pumps.hold({});
    isHoldInDisposition.connect(async (_tx, id) => id === named.holdId);
    try {
      for (const { holdId } of [other, whole]) {
        const { status, json } = await pumps.move(holdId, 1, { serials: ['S1'] });
        const [issue] = json.errors;
        expect([status, issue?.reason, issue?.path]).toEqual([400, 'hold_in_disposition', '/serials']);
      }
      expect((await pumps.move(other.holdId, 1, { serials: ['S2'] })).status).toBe(200);
    } finally {
      connectSlices();
    }
  });

  it('stand in the ledger with their hold, and in the audit trail', async () => {
    const { productCode, hold, move } = await stocked('batch', 5);
    const { holdId } = await hold({ quantity: 4 });
    const { transferId, newHoldId } = (await move(holdId, 1, { reason: 'quarantine' })).data;
    await move(newHoldId ?? '', 1, { from: 'WH-2', to: 'WH-1' });
    const ledger = await service.db.sql<{ row: unknown[] }>(
      `select json_build_array(kind, warehouse, quantity, hold_id) as row from movements where product_code = $1 order by position`,
      [productCode],
    );
    expect(ledger.map(({ row }) => row)).toEqual([
      ['adjustment', 'WH-1', 5, null],
      ['hold', 'WH-1', 4, null],
      ['transfer_out', 'WH-1', 1, newHoldId],
      ['transfer_in', 'WH-2', 1, newHoldId],
      ['hold', 'WH-2', 1, null],
      ['transfer_out', 'WH-2', 1, newHoldId],
      ['transfer_in', 'WH-1', 1, newHoldId],
    ]);
    const shown = await must<{ items: { holdId: string | null }[] }>(
      'GET',
      `/v2/stock/movements?productCode=${productCode}&kind=transfer_in`,
    );
    expect(shown.items.map((each) => each.holdId)).toEqual([newHoldId, newHoldId]);
    const entries = await service.db.sql(
      `select action, entity_id as id, reason, before->>'quantity' as before, after->>'quantity' as after
       from audit_entries where action ~ 'hold$' and action <> 'stock.hold' and after->>'transferId' = $1 order by action`,
      [transferId],
    );
    expect(entries).toEqual([
      { action: 'stock.move_hold', id: holdId, reason: 'quarantine', before: '4', after: '3' },
      { action: 'stock.split_hold', id: newHoldId, reason: 'quarantine', before: null, after: '1' },
    ]);
  });

  it('moved by several at once are moved once', async () => {
    const { hold, move, quantities } = await stocked('batch', 6);
    const { holdId } = await hold({ quantity: 4 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => move(holdId, 1)));
    expect(answers.map(({ status, reason }) => reason ?? status).sort()).toEqual([
      200,
      200,
      200,
      200,
      'hold_mismatch',
      'hold_mismatch',
    ]);
    expect(await quantities()).toEqual([
      [2, 0],
      [0, 4],
    ]);
  });
});
