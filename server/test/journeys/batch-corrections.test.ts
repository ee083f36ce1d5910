import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFlow, type World } from './flow-world.js';

/** A mistyped date of a batch is corrected everywhere at once; reservations that no longer fit are dropped. */

interface Corrected {
  correctionId: string;
  productCode: string;
  batchNo: string;
  expiryDate: string | null;
  manufactureDate: string | null;
  before: { expiryDate: string | null; manufactureDate: string | null };
  customers: { code: string; name: string; quantity: number }[];
  releasedReservations: { orderId: string; lineNo: number; quantity: number }[];
}

let world: World;
beforeAll(async () => {
  world = await openFlow();
});
afterAll(() => world.close());

const pathOf = (productCode: string, batchNo = 'B1') =>
  `/v2/stock/batches/${encodeURIComponent(productCode)}/${encodeURIComponent(batchNo)}/corrections`;
const correct = (productCode: string, body: object, batchNo = 'B1') =>
  world.call<Corrected>('POST', pathOf(productCode, batchNo), { reason: 'typing error', ...body });
const batchesOf = async (productCode: string) =>
  (
    await world.must<{ batches: { batchNo: string; expiryDate: string | null }[] }>(
      'GET',
      `/v2/inventory?productCode=${productCode}&warehouse=WH-1`,
    )
  ).batches;

describe('a correction', () => {
  it('takes effect in stock at once, leaves accepted receipts as they are, and is audited', async () => {
    const productCode = await world.newProduct();
    const receiptId = await world.receive({ productCode, expiryDate: '2029-06-03' });
    const answer = await correct(productCode, { expiryDate: '2029-06-30' });
    expect(answer.data).toMatchObject({
      ...{ productCode, batchNo: 'B1', expiryDate: '2029-06-30', manufactureDate: null },
      before: { expiryDate: '2029-06-03', manufactureDate: null },
      ...{ customers: [], releasedReservations: [] },
    });
    expect(await batchesOf(productCode)).toMatchObject([{ batchNo: 'B1', expiryDate: '2029-06-30' }]);
    const receipt = await world.must<{ lines: { expiryDate: string }[] }>('GET', `/v2/receipts/${receiptId}`);
    expect(receipt.lines[0]?.expiryDate).toBe('2029-06-03');
    const audit = await world.must<{
      items: { action: string; reason: string; before: object; after: object }[];
    }>('GET', `/v2/audit?entityType=batch&entityId=${encodeURIComponent(`${productCode}/B1`)}`);
    expect(audit.items[0]).toMatchObject({
      ...{ action: 'stock.correct_batch', reason: 'typing error' },
      before: { expiryDate: '2029-06-03' },
      after: { expiryDate: '2029-06-30' },
    });
    // Later receipts must state the corrected date.
    await world.receive({ productCode, expiryDate: '2029-06-30' });
  });

  it('drops reservations of stock that is now expired: the order shows a shortage, its dispatch fails the re-check', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 10 });
    const { orderId } = await world.approved({ productCode, quantity: 6 });
    const { dispatchId } = await world.open(orderId, { lineNo: 1, quantity: 2 });
    await world.pick(dispatchId, { batchNo: 'B1', quantity: 2 });
    const answer = await correct(productCode, { expiryDate: '2026-11-14' });
    expect(answer.data.releasedReservations.reduce((sum, each) => sum + each.quantity, 0)).toBe(6);
    expect(await world.stock(productCode)).toEqual([10, 0, 0, 10]);
    const order = await world.readOrder(orderId);
    expect([order.shortage, order.lines[0]?.reserved]).toEqual([true, []]);
    const recheck = await world.call(
      'POST',
      `/v2/dispatches/${dispatchId}/recheck`,
      { result: 'pass' },
      world.second,
    );
    expect([recheck.status, recheck.reason]).toEqual([400, 'stock_blocked']);
    await correct(productCode, { expiryDate: '2030-01-01' });
    expect((await world.act(orderId, 'reserve')).shortage).toBe(false);
  });

  it('drops only reservations whose order line wants a longer shelf life', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 10 });
    const any = await world.approved({ productCode, quantity: 2 });
    const long = await world.approved({ productCode, quantity: 3, minRemainingShelfLifeDays: 365 });
    const answer = await correct(productCode, { expiryDate: '2027-11-14' });
    expect(answer.data.releasedReservations).toMatchObject([
      { orderId: long.orderId, lineNo: 1, quantity: 3 },
    ]);
    expect((await world.readOrder(any.orderId)).shortage).toBe(false);
    expect((await world.readOrder(long.orderId)).shortage).toBe(true);
    expect(await world.stock(productCode)).toEqual([10, 8, 2, 0]);
    expect((await correct(productCode, { expiryDate: '2027-11-15' })).data.releasedReservations).toEqual([]);
    expect((await world.act(long.orderId, 'reserve')).shortage).toBe(false);
  });

  it('lists the customers who have some of it', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 10 });
    const { orderId } = await world.approved({ productCode, quantity: 4 });
    await world.ship(orderId);
    const answer = await correct(productCode, { manufactureDate: '2026-01-01' });
    expect(answer.data.customers).toEqual([{ code: 'HOSP-1', name: 'City hospital', quantity: 4 }]);
  });

  it('is a step of the trace and a row of the ledger, also when nothing is left in stock', async () => {
    const productCode = await world.newProduct({ udiDi: '00614141999996', tracking: 'serial' });
    await world.receive({ productCode, quantity: 1, serials: ['S1'], expiryDate: '2029-06-03' });
    const { orderId } = await world.approved({ productCode, quantity: 1 });
    const { dispatchId } = await world.open(orderId);
    await world.pick(dispatchId, { batchNo: 'B1', quantity: 1, serials: ['S1'] });
    await world.pass(dispatchId);
    await correct(productCode, { expiryDate: '2029-06-30', manufactureDate: '2026-01-01' });
    for (const code of ['(01)00614141999996(10)B1', '(01)00614141999996(21)S1']) {
      const trace = await world.must<{ chain: { items: { step: string; correction: object | null }[] } }>(
        'GET',
        `/v2/udi?code=${encodeURIComponent(code)}`,
      );
      expect(trace.chain.items.at(-1)).toMatchObject({
        step: 'corrected',
        correction: {
          expiryDate: { before: '2029-06-03', after: '2029-06-30' },
          manufactureDate: { before: null, after: '2026-01-01' },
        },
      });
    }
    const epcis = await world.call(
      'GET',
      `/v2/udi?code=${encodeURIComponent('(01)00614141999996(10)B1')}&format=epcis`,
    );
    expect(epcis.status).toBe(200);
    const ledger = await world.must<{ items: { kind: string; quantityDelta: number; correction: object }[] }>(
      'GET',
      `/v2/stock/movements?productCode=${productCode}&kind=correction`,
    );
    expect(ledger.items).toMatchObject([
      { kind: 'correction', quantityDelta: 0, reason: 'typing error', correction: { expiryDate: {} } },
    ]);
  });

  it('reconsiders the warnings: near now is announced, out of the range may be announced again on another day', async () => {
    const productCode = await world.newProduct({ nearExpiryDays: 90, safetyStock: 5 });
    await world.receive({ productCode, quantity: 10 });
    await world.newEvents();
    const kinds = async () => (await world.newEvents()).map((event) => event.eventType).sort();
    await correct(productCode, { expiryDate: '2026-12-01' });
    expect(await kinds()).toEqual(['expiry.warning']);
    await correct(productCode, { expiryDate: '2030-01-01' });
    await correct(productCode, { expiryDate: '2026-12-02' });
    expect(await kinds()).toEqual([]);
    await correct(productCode, { expiryDate: null });
    world.db.clock.advance(86_400_000);
    await correct(productCode, { expiryDate: '2026-12-03' });
    expect(await kinds()).toEqual(['expiry.warning']);
    await correct(productCode, { expiryDate: '2026-11-01' });
    expect(await kinds()).toEqual(['inventory.low_stock']);
  });

  it('leaves reservations that fell short as days passed, and repeats a warning that named another date', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 10, expiryDate: '2026-12-31' });
    const { orderId } = await world.approved({ productCode, quantity: 2, minRemainingShelfLifeDays: 40 });
    world.db.clock.advance(10 * 86_400_000);
    await world.newEvents();
    const answer = await correct(productCode, { expiryDate: '2026-12-30' });
    expect(answer.data.releasedReservations).toEqual([]);
    expect((await world.readOrder(orderId)).shortage).toBe(false);
    expect((await world.newEvents()).map((event) => event.eventType)).toEqual(['expiry.warning']);
  });

  it('finds batches whose number holds a slash, and the product by any length of its GTIN', async () => {
    const batchNo = 'A/1 %2F?#';
    await world.receive({ batchNo, expiryDate: '2031-01-01' });
    expect((await correct('6901234567892', { expiryDate: '2031-01-31' }, batchNo)).data).toMatchObject({
      productCode: '06901234567892',
      batchNo,
      expiryDate: '2031-01-31',
    });
  });
});

describe('a correction is refused', () => {
  it('for what is not there, and for products without batches', async () => {
    expect((await correct('NOTHING', { expiryDate: null })).status).toBe(404);
    expect((await correct('06901234567892', { expiryDate: null }, 'NEVER')).status).toBe(404);
    expect((await world.call('POST', '/v2/stock/batches/GLOVE-1//corrections', { reason: 'x' })).status).toBe(
      404,
    );
  });

  it('without a date, without a reason, with the dates it has, and with impossible ones', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 1, manufactureDate: '2026-01-01' });
    const why = async (body: object) => (await correct(productCode, body)).reason;
    expect(await why({})).toBe('required');
    expect(await why({ expiryDate: '2031-01-01', reason: '' })).toBe('bad_length');
    expect(await why({ expiryDate: '2030-01-01' })).toBe('no_change');
    expect(await why({ expiryDate: '2025-12-31' })).toBe('illegal_date');
    expect(await why({ manufactureDate: '2030-01-02' })).toBe('illegal_date');
    expect(await why({ manufactureDate: '2026-11-28' })).toBe('illegal_date');
  });

  it('without a credential, and without quality:write', async () => {
    const { apiKey } = await world.org.newKey({
      scopes: ['inventory:write', 'inventory:read', 'quality:read'],
    });
    const path = pathOf('06901234567892');
    const body = { expiryDate: null, reason: 'x' };
    expect((await world.api.call('POST', path, body)).status).toBe(401);
    const refused = await world.call('POST', path, body, apiKey);
    expect([refused.status, refused.reason]).toEqual([403, 'scope_missing']);
  });
});
