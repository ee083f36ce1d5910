import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFlow, type World } from './flow-world.js';

/** A return accepts the goods that, by the ledger, the customer holds; anything else needs the approval of quality. */

interface ReturnedReceipt {
  receiptId: string;
  status: string;
  unmatched: { reason: string; allowedBy: string } | null;
  lines: { expiryDate: string | null; manufactureDate: string | null; dispatchId: string | null }[];
}
interface Goods {
  productCode: string;
  quantity: number;
  batchNo?: string;
  serials?: string[];
  expiryDate?: string | null;
  dispatchId?: string;
}

let world: World;
beforeAll(async () => {
  world = await openFlow();
  await world.must('PUT', '/v2/partners/HOSP-2', { name: 'Other hospital', roles: ['customer'] });
});
afterAll(() => world.close());

/** Ships goods that are in stock to a customer, and returns the dispatch. */
async function sell(customerCode: string, goods: Goods): Promise<string> {
  const { productCode, quantity, batchNo = 'B1', serials } = goods;
  const body = { ...world.orderBody({ productCode, quantity }), customerCode };
  const { orderId } = await world.post<{ orderId: string }>('/v2/orders', body);
  await world.act(orderId, 'approve');
  const { dispatchId } = await world.open(orderId);
  await world.pick(dispatchId, { batchNo, quantity, ...(serials ? { serials } : {}) });
  await world.pass(dispatchId);
  return dispatchId;
}

const lineOf = (goods: Goods, lineNo: number) => ({
  lineNo,
  batchNo: 'B1',
  ...goods,
});

async function enterReturn(customerCode: string, goods: Goods | Goods[], more: object = {}, key?: string) {
  const lines = [goods].flat().map((each, i) => lineOf(each, i + 1));
  const body = {
    receiptNo: world.next('RET'),
    kind: 'return',
    customerCode,
    warehouse: 'WH-1',
    lines,
    ...more,
  };
  const answer = await world.call<ReturnedReceipt>('POST', '/v2/receipts', body, key);
  return { answer, lines };
}

/** Enters a return and accepts all of it. */
async function giveBack(customerCode: string, goods: Goods | Goods[], more: object = {}) {
  const { answer, lines } = await enterReturn(customerCode, goods, more);
  if (answer.status !== 200) return answer;
  const verdicts = lines.map(({ lineNo, quantity }) => ({
    lineNo,
    acceptedQuantity: quantity,
    rejectedQuantity: 0,
  }));
  return world.call<ReturnedReceipt>('POST', `/v2/receipts/${answer.data.receiptId}/acceptance`, {
    lines: verdicts,
  });
}

const heldIn = (answer: { json: { errors?: object[] } }) =>
  (answer.json.errors?.[0] as { held?: number } | undefined)?.held;

describe('a return', () => {
  it('of goods the customer never received is refused, and nothing comes into stock', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 10 });
    const answer = await giveBack('HOSP-1', { productCode, quantity: 500, expiryDate: '2030-01-01' });
    expect([answer.status, answer.reason, heldIn(answer)]).toEqual([400, 'return_not_held', 0]);
    expect(answer.json.errors[0]?.path).toBe('/lines/0');
    expect(answer.json.errors[0]?.message).toContain(`${productCode} batch B1,`);
    expect(await world.stock(productCode)).toEqual([10, 10, 0, 0]);
  });

  it('of a serialized unit that another customer holds is refused, and the holder can return it', async () => {
    const productCode = await world.newProduct({ tracking: 'serial' });
    await world.receive({ productCode, quantity: 2, serials: ['S1', 'S2'] });
    await sell('HOSP-1', { productCode, quantity: 1, serials: ['S1'] });
    await sell('HOSP-2', { productCode, quantity: 1, serials: ['S2'] });
    const unit = { productCode, quantity: 1, serials: ['S1'], expiryDate: '2030-01-01' };
    const foreign = await giveBack('HOSP-2', unit);
    expect([foreign.status, foreign.reason, heldIn(foreign)]).toEqual([400, 'return_not_held', 0]);
    expect(foreign.json.errors[0]?.message).toContain('S1');
    expect((await giveBack('HOSP-1', unit)).status).toBe(200);
    expect((await giveBack('HOSP-1', unit)).reason).toBe('serial_in_stock');
  });

  it('of a later delivery is not lessened by more that came back before returns had a limit', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 10 });
    await giveBack(
      'HOSP-1',
      { productCode, quantity: 20, expiryDate: '2030-01-01' },
      { unmatched: { reason: 'x' } },
    );
    await world.db.sql('update movements set unmatched = false where product_code = $1', [productCode]);
    await sell('HOSP-1', { productCode, quantity: 5 });
    expect((await giveBack('HOSP-1', { productCode, quantity: 3 })).status).toBe(200);
    const rest = await giveBack('HOSP-1', { productCode, quantity: 3 });
    expect([rest.reason, heldIn(rest)]).toEqual(['return_not_held', 2]);
  });

  it('sent again as a version before stored it is unchanged', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 5 });
    await sell('HOSP-1', { productCode, quantity: 5 });
    const receiptNo = world.next('RET');
    const goods = { productCode, quantity: 5, expiryDate: '2030-01-01' };
    await giveBack('HOSP-1', goods, { receiptNo });
    await world.db.sql(
      `update receipt_lines set manufacture_from_batch = false, manufacture_date = null where product_code = $1`,
      [productCode],
    );
    const { answer } = await enterReturn('HOSP-1', goods, { receiptNo });
    expect(answer).toMatchObject({ status: 200, data: { result: 'unchanged' } });
  });

  it('is limited to what was dispatched less what was returned, over several lines of one receipt', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 10 });
    await sell('HOSP-1', { productCode, quantity: 6 });
    expect((await giveBack('HOSP-1', { productCode, quantity: 2 })).status).toBe(200);
    const split = await giveBack('HOSP-1', [
      { productCode, quantity: 3 },
      { productCode, quantity: 2 },
    ]);
    expect([split.reason, heldIn(split), split.json.errors[0]?.path]).toEqual([
      'return_not_held',
      1,
      '/lines/1',
    ]);
    expect(await world.stock(productCode)).toEqual([6, 4, 0, 2]);
    expect((await giveBack('HOSP-1', { productCode, quantity: 4 })).status).toBe(200);
  });

  it('accepted twice at once takes in only what is held', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 10 });
    await sell('HOSP-1', { productCode, quantity: 6 });
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => giveBack('HOSP-1', { productCode, quantity: 4 })),
    );
    expect(answers.map((each) => each.reason ?? 'accepted').sort()).toEqual([
      'accepted',
      'return_not_held',
      'return_not_held',
      'return_not_held',
    ]);
    expect(await world.stock(productCode)).toEqual([8, 4, 0, 4]);
  });

  it('of products without batches counts what the customer holds of the product', async () => {
    const productCode = await world.newProduct({ tracking: 'none' });
    await world.receive({ productCode, batchNo: '', quantity: 5, expiryDate: null });
    await sell('HOSP-1', { productCode, quantity: 2, batchNo: '' });
    const refused = await giveBack('HOSP-1', { productCode, batchNo: '', quantity: 3 });
    expect([refused.reason, heldIn(refused)]).toEqual(['return_not_held', 2]);
    expect((await giveBack('HOSP-1', { productCode, batchNo: '', quantity: 2 })).status).toBe(200);
  });

  it('of goods on the way counts, and a rejected quantity does not', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 5 });
    await sell('HOSP-1', { productCode, quantity: 2 });
    const { answer } = await enterReturn('HOSP-1', { productCode, quantity: 9 });
    const verdict = { lineNo: 1, acceptedQuantity: 2, rejectedQuantity: 7, rejectReason: 'not ours' };
    const path = `/v2/receipts/${answer.data.receiptId}/acceptance`;
    expect((await world.call('POST', path, { lines: [verdict] })).status).toBe(200);
  });
});

describe('a return of one dispatch', () => {
  it('takes in at most what that dispatch shipped less what was returned of it', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 20 });
    const first = await sell('HOSP-1', { productCode, quantity: 3 });
    await sell('HOSP-1', { productCode, quantity: 5 });
    const tooMany = await giveBack('HOSP-1', { productCode, quantity: 4, dispatchId: first });
    expect([tooMany.reason, heldIn(tooMany)]).toEqual(['return_not_held', 3]);
    const back = await giveBack('HOSP-1', { productCode, quantity: 2, dispatchId: first });
    expect(back.data.lines[0]?.dispatchId).toBe(first);
    const rest = await giveBack('HOSP-1', { productCode, quantity: 2, dispatchId: first });
    expect([rest.reason, heldIn(rest)]).toEqual(['return_not_held', 1]);
    expect((await giveBack('HOSP-1', { productCode, quantity: 6 })).status).toBe(200);
    const empty = await giveBack('HOSP-1', { productCode, quantity: 1, dispatchId: first });
    expect([empty.reason, heldIn(empty)]).toEqual(['return_not_held', 0]);
  });

  it('of a serialized unit needs the unit to have left with it', async () => {
    const productCode = await world.newProduct({ tracking: 'serial' });
    await world.receive({ productCode, quantity: 2, serials: ['T1', 'T2'] });
    const first = await sell('HOSP-1', { productCode, quantity: 1, serials: ['T1'] });
    await sell('HOSP-1', { productCode, quantity: 1, serials: ['T2'] });
    const other = await giveBack('HOSP-1', { productCode, quantity: 1, serials: ['T2'], dispatchId: first });
    expect(other.reason).toBe('return_not_held');
    const own = await giveBack('HOSP-1', { productCode, quantity: 1, serials: ['T1'], dispatchId: first });
    expect(own.status).toBe(200);
  });

  it('that went to another customer, or does not exist, is an unknown reference', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 5 });
    const dispatchId = await sell('HOSP-2', { productCode, quantity: 2 });
    for (const named of [dispatchId, 'dsp_unknown']) {
      const { answer } = await enterReturn('HOSP-1', { productCode, quantity: 1, dispatchId: named });
      expect([answer.reason, answer.json.errors[0]?.path]).toEqual([
        'unknown_reference',
        '/lines/0/dispatchId',
      ]);
    }
    const purchase = { ...world.receiptBody({ productCode }) };
    const lines = purchase.lines.map((line) => ({ ...line, dispatchId }));
    expect(await world.refused('POST', '/v2/receipts', { ...purchase, lines })).toBe('not_allowed');
  });
});

describe('an omitted date on a return line', () => {
  it('is that of the batch, while it waits and after it was accepted', async () => {
    const productCode = await world.newProduct();
    const lot = { productCode, quantity: 5, manufactureDate: '2026-01-02', expiryDate: '2031-05-06' };
    await world.receive(lot);
    await sell('HOSP-1', { productCode, quantity: 2 });
    const { answer } = await enterReturn('HOSP-1', { productCode, quantity: 1 });
    const dates = { manufactureDate: '2026-01-02', expiryDate: '2031-05-06' };
    expect(answer.data.lines[0]).toMatchObject(dates);
    const verdict = { lines: [{ lineNo: 1, acceptedQuantity: 1, rejectedQuantity: 0 }] };
    const path = `/v2/receipts/${answer.data.receiptId}/acceptance`;
    expect((await world.post<ReturnedReceipt>(path, verdict)).lines[0]).toMatchObject(dates);
  });

  it('leaves the same return unchanged when it is sent again', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 5 });
    const body = {
      ...{ receiptNo: world.next('RET'), kind: 'return', customerCode: 'HOSP-1', warehouse: 'WH-1' },
      lines: [{ lineNo: 1, productCode, batchNo: 'B1', quantity: 1 }],
    };
    const sync = async () => (await world.post<{ result: string }>('/v2/receipts', body)).result;
    expect([await sync(), await sync()]).toEqual(['created', 'unchanged']);
  });
});

describe('an unmatched return', () => {
  const unmatched = { unmatched: { reason: 'sold before the ledger began' } };

  it('is let in by quality, on a hold of its own source, and said on the receipt and in the audit trail', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 5 });
    await sell('HOSP-1', { productCode, quantity: 2 });
    const answer = await giveBack('HOSP-1', { productCode, quantity: 6 }, unmatched);
    expect(answer.data.unmatched).toEqual({
      ...unmatched.unmatched,
      allowedBy: expect.stringContaining('@'),
    });
    expect(await world.stock(productCode)).toEqual([9, 3, 0, 6]);
    const holds = await world.must<{ items: { source: string; quantity: number; reason: string }[] }>(
      'GET',
      `/v2/stock/holds?productCode=${productCode}`,
    );
    expect(holds.items.map(({ source, quantity }) => [source, quantity]).sort()).toEqual([
      ['return', 2],
      ['unmatched_return', 4],
    ]);
    const audit = await world.must<{ items: { after: unknown }[] }>(
      'GET',
      `/v2/audit?entityType=receipt&entityId=${answer.data.receiptId}`,
    );
    expect(JSON.stringify(audit.items)).toContain('sold before the ledger began');
  });

  it('does not lessen what the customer holds of later deliveries', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 5 });
    expect((await giveBack('HOSP-1', { productCode, quantity: 4 }, unmatched)).status).toBe(200);
    await sell('HOSP-1', { productCode, quantity: 3 });
    const holders = await world.must<{ holders: { code: string; quantity: number }[] }>(
      'GET',
      `/v2/udi?code=${encodeURIComponent(`(01)${await asGtin(productCode)}(10)B1`)}`,
    );
    expect(holders.holders.find((each) => each.code === 'HOSP-1')?.quantity).toBe(3);
    expect((await giveBack('HOSP-1', { productCode, quantity: 3 })).status).toBe(200);
  });

  it('of an unknown batch needs its expiry date', async () => {
    const productCode = await world.newProduct();
    const goods = { productCode, batchNo: 'NEVER', quantity: 1 };
    expect((await giveBack('HOSP-1', goods, unmatched)).reason).toBe('expiry_date_required');
    const dated = { ...goods, expiryDate: '2030-01-01' };
    expect((await giveBack('HOSP-1', dated, unmatched)).status).toBe(200);
  });

  it('needs quality:write, belongs to returns, and goes when the receipt is sent without it', async () => {
    const productCode = await world.newProduct();
    const { apiKey } = await world.org.newKey({ scopes: ['receipts:read', 'receipts:write'] });
    const { answer } = await enterReturn('HOSP-1', { productCode, quantity: 1 }, unmatched, apiKey);
    expect([answer.status, answer.code, answer.reason]).toEqual([403, 1003, 'scope_missing']);
    const purchase = { ...world.receiptBody({ productCode }), ...unmatched };
    expect(await world.refused('POST', '/v2/receipts', purchase)).toBe('not_allowed');
    const receiptNo = world.next('RET');
    const goods = { productCode, quantity: 1, expiryDate: '2030-01-01' };
    await enterReturn('HOSP-1', goods, { ...unmatched, receiptNo });
    const { answer: replaced } = await enterReturn('HOSP-1', goods, { receiptNo }, apiKey);
    expect(replaced.data.unmatched).toBeNull();
  });
});

/** A product with a device identifier, so that a code leads to it. */
async function asGtin(productCode: string): Promise<string> {
  const udiDi = '00614141999996';
  await world.must('PUT', `/v2/products/${productCode}`, { productName: 'Traced', udiDi });
  return udiDi;
}
