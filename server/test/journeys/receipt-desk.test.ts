import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFlow, type World } from './flow-world.js';

/** Work on a receipt before its acceptance: cancelling it, describing it, counting packages. */

interface ReceiptView {
  receiptId: string;
  status: string;
  result: string;
  cancelledAt: string | null;
  cancelledBy: string | null;
  cancelReason: string | null;
  lines: { productCode: string; quantity: number; udiDi: string | null; packages: number | null }[];
}

let world: World;
beforeAll(async () => {
  world = await openFlow();
});
afterAll(() => world.close());

const enter = (body: object) => world.post<ReceiptView>('/v2/receipts', body);
const cancel = (receiptId: string, body: object = { reason: 'sent twice' }) =>
  world.call<ReceiptView>('POST', `/v2/receipts/${receiptId}/cancel`, body);

describe('a pending receipt', () => {
  it('is cancelled with a reason, never reopens, and can be listed', async () => {
    const body = world.receiptBody();
    const { receiptId } = await enter(body);
    const cancelled = await cancel(receiptId);
    expect(cancelled.data).toMatchObject({
      ...{ status: 'cancelled', cancelReason: 'sent twice', acceptedAt: null },
      ...{ cancelledBy: expect.stringContaining('@'), cancelledAt: '2026-11-15T10:00:00.000Z' },
    });
    for (const again of [body, { ...body, remark: 'again' }])
      expect(await world.refused('POST', '/v2/receipts', again)).toBe('receipt_not_editable');
    const verdict = { lines: [{ lineNo: 1, acceptedQuantity: 10, rejectedQuantity: 0 }] };
    const acceptance = `/v2/receipts/${receiptId}/acceptance`;
    expect(await world.refused('POST', acceptance, verdict)).toBe('transition_not_allowed');
    expect((await cancel(receiptId)).reason).toBe('transition_not_allowed');
    const list = await world.must<{ items: ReceiptView[] }>('GET', '/v2/receipts?status=cancelled');
    expect(list.items.map((each) => each.receiptId)).toEqual([receiptId]);
  });

  it('is not cancelled once it was accepted, without a reason, or where it is not', async () => {
    const receiptId = await world.receive();
    expect((await cancel(receiptId)).reason).toBe('transition_not_allowed');
    const pending = await enter(world.receiptBody());
    expect((await cancel(pending.receiptId, {})).reason).toBe('required');
    expect((await cancel('rcp_unknown')).status).toBe(404);
  });

  it('is either cancelled or accepted when both happen at once', async () => {
    const productCode = await world.newProduct();
    const ids = await Promise.all(
      Array.from(
        { length: 6 },
        async () => (await enter(world.receiptBody({ productCode, quantity: 1 }))).receiptId,
      ),
    );
    const verdict = { lines: [{ lineNo: 1, acceptedQuantity: 1, rejectedQuantity: 0 }] };
    const both = await Promise.all(
      ids.map((id) =>
        Promise.all([cancel(id), world.call('POST', `/v2/receipts/${id}/acceptance`, verdict)]),
      ),
    );
    expect(both.map((pair) => pair.filter((each) => each.status === 200).length)).toEqual(ids.map(() => 1));
    const accepted = both.filter(([, acceptance]) => acceptance?.status === 200).length;
    expect((await world.stock(productCode))[0]).toBe(accepted);
  });
});

describe('the header of a receipt', () => {
  it('says purchase order, arrival, transport temperature and sampling, and is part of its content', async () => {
    const header = {
      purchaseOrderNo: 'PO-4711',
      arrivedAt: '2026-11-15T08:30:00.000Z',
      transportTemperature: 5.1,
      sampled: true,
    };
    const body = { ...world.receiptBody(), ...header };
    const created = await enter(body);
    expect(created).toMatchObject(header);
    expect((await enter(body)).result).toBe('unchanged');
    const updated = await enter({ ...body, transportTemperature: -18.25 });
    expect(updated).toMatchObject({ ...header, transportTemperature: -18.25, result: 'updated' });
    const { purchaseOrderNo: _, arrivedAt: __, ...rest } = body;
    expect(await enter(rest)).toMatchObject({ purchaseOrderNo: null, arrivedAt: null, result: 'updated' });
    expect(await enter(world.receiptBody())).toMatchObject({ transportTemperature: null, sampled: null });
  });
});

describe('the acceptance of goods that came outside their conditions', () => {
  it('keeps why they are accepted apart from why others are rejected', async () => {
    const { receiptId } = await enter({ ...world.receiptBody({ quantity: 10 }), transportTemperature: 12 });
    const verdict = {
      ...{ lineNo: 1, acceptedQuantity: 8, rejectedQuantity: 2 },
      ...{ rejectReason: 'thawed', deviationReason: 'the logger shows ten minutes only' },
    };
    const acceptance = `/v2/receipts/${receiptId}/acceptance`;
    for (const deviationReason of ['', 'x'.repeat(501)])
      expect(await world.refused('POST', acceptance, { lines: [{ ...verdict, deviationReason }] })).toBe(
        'bad_length',
      );
    expect((await world.post<ReceiptView>(acceptance, { lines: [verdict] })).lines).toMatchObject([verdict]);
    expect((await world.must<ReceiptView>('GET', `/v2/receipts/${receiptId}`)).lines).toMatchObject([
      verdict,
    ]);
  });

  it('has no such reason unless one is given', async () => {
    const receiptId = await world.receive();
    const { lines } = await world.must<ReceiptView>('GET', `/v2/receipts/${receiptId}`);
    expect(lines).toMatchObject([{ rejectReason: null, deviationReason: null }]);
  });
});

describe('a line by package identifier', () => {
  const CARTON = '16901234567899';
  const line = (part: object) => ({
    ...world.receiptBody(),
    lines: [{ lineNo: 1, batchNo: 'B1', expiryDate: '2030-01-01', ...part }],
  });

  it('names the product and counts packages; it cannot contradict what is given beside it', async () => {
    const productCode = await world.newProduct({
      packaging: [{ udiDi: CARTON, level: 'carton', quantity: 20 }],
    });
    const body = line({ udiDi: CARTON, packages: 3 });
    const created = await enter(body);
    expect(created.lines).toMatchObject([{ productCode, quantity: 60, udiDi: CARTON, packages: 3 }]);
    expect((await enter(body)).result).toBe('unchanged');
    const agreeing = line({ udiDi: CARTON, packages: 3, productCode, quantity: 60 });
    expect((await enter(agreeing)).lines).toMatchObject([{ quantity: 60 }]);
    const why = (part: object) => world.refused('POST', '/v2/receipts', line(part));
    expect(await why({ udiDi: CARTON, packages: 3, quantity: 59 })).toBe('package_mismatch');
    expect(await why({ udiDi: CARTON, packages: 3, productCode: 'GLOVE-1' })).toBe('package_mismatch');
    expect(await why({ udiDi: CARTON })).toBe('required');
    expect(await why({ productCode, packages: 3 })).toBe('required');
    expect(await why({ udiDi: 'NOBODY', packages: 1 })).toBe('unknown_reference');
    expect(await why({ udiDi: CARTON, packages: 999_999_999 })).toBe('out_of_range');
  });

  it('of the unit of use counts units', async () => {
    const body = {
      ...world.receiptBody(),
      lines: [{ lineNo: 1, udiDi: '6901234567892', packages: 4, batchNo: 'B1', expiryDate: '2030-01-01' }],
    };
    expect((await enter(body)).lines).toMatchObject([{ productCode: '06901234567892', quantity: 4 }]);
  });
});
