import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFlow, type World } from './flow-world.js';

/** Impossible dates are refused on input, with the path and both dates. */

let world: World;
beforeAll(async () => {
  world = await openFlow();
});
afterAll(() => world.close());

interface Refused {
  path: string;
  reason: string;
  message: string;
}
/** Makes a call that must be refused for a date, and returns how. */
async function illegal(path: string, body: object): Promise<Refused> {
  const answer = await world.call('POST', path, body);
  expect([path, answer.status, answer.reason]).toEqual([path, 400, 'illegal_date']);
  return answer.json.errors[0] as Refused;
}

describe('a receipt', () => {
  const receipt = (line: object, more: object = {}) => {
    const body = world.receiptBody();
    return { ...body, ...more, lines: body.lines.map((each) => ({ ...each, ...line })) };
  };

  it('of goods made after they expire is refused', async () => {
    const dates = { manufactureDate: '2032-01-01', expiryDate: '2031-01-01' };
    const { path, message } = await illegal('/v2/receipts', receipt(dates));
    expect(path).toBe('/lines/0/manufactureDate');
    expect(message).toContain('2032-01-01');
    expect(message).toContain('2031-01-01');
  });

  it('of goods made after the day of the receipt is refused', async () => {
    const { path, message } = await illegal('/v2/receipts', receipt({ manufactureDate: '2026-11-16' }));
    expect([path, message.includes('2026-11-16'), message.includes('2026-11-15')]).toEqual([
      '/lines/0/manufactureDate',
      true,
      true,
    ]);
    const today = await world.call('POST', '/v2/receipts', receipt({ manufactureDate: '2026-11-15' }));
    expect(today.status).toBe(200);
  });

  it('whose scanned code says such dates is refused', async () => {
    const body = world.receiptBody();
    const lines = [{ lineNo: 1, quantity: 1, udi: '(01)06901234567892(11)320101(17)310101(10)SCANNED' }];
    expect((await illegal('/v2/receipts', { ...body, lines })).path).toBe('/lines/0/manufactureDate');
  });

  it('that arrived before the books begin is refused, and one from the future', async () => {
    const early = receipt({}, { arrivedAt: '2019-01-01T00:00:00Z' });
    expect((await illegal('/v2/receipts', early)).path).toBe('/arrivedAt');
    const late = receipt({}, { arrivedAt: '2026-11-15T10:06:00Z' });
    expect(await world.refused('POST', '/v2/receipts', late)).toBe('in_the_future');
  });
});

describe('a delivery', () => {
  it('before its dispatch is refused; a clock five minutes behind is not', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 10 });
    const { orderId } = await world.approved({ productCode, quantity: 4 });
    const { dispatchId } = await world.ship(orderId);
    const path = `/v2/dispatches/${dispatchId}/delivery`;
    const deliver = (receivedAt: string) => ({ receivedBy: 'ward', receivedAt });
    const refused = await illegal(path, deliver('2020-01-01T00:00:00Z'));
    expect([refused.path, refused.message.includes('2020-01-01')]).toEqual(['/receivedAt', true]);
    await illegal(path, deliver('2026-11-15T09:54:59Z'));
    expect((await world.call('POST', path, deliver('2026-11-15T09:55:00Z'))).status).toBe(200);
  });
});

describe('an instant of stock', () => {
  const adjust = (more: object) => ({
    ...{ warehouse: 'WH-1', batchNo: 'B1', quantityDelta: -1, reason: 'breakage' },
    ...more,
  });

  it('before the books begin is refused, for what opens a batch too', async () => {
    const productCode = await world.newProduct();
    const opening = { productCode, quantityDelta: 5, expiryDate: '2030-01-01' };
    const { path, message } = await illegal(
      '/v2/stock/adjustments',
      adjust({ ...opening, occurredAt: '1999-01-01T00:00:00Z' }),
    );
    expect([path, message.includes('2025-11-15')]).toEqual(['/occurredAt', true]);
    const within = adjust({ ...opening, occurredAt: '2025-11-15T00:00:00Z' });
    expect((await world.call('POST', '/v2/stock/adjustments', within)).status).toBe(200);
  });

  it('before the first movement of the batch is refused, for adjustments and transfers', async () => {
    const productCode = await world.newProduct();
    await world.receive({ productCode, quantity: 10 });
    const occurredAt = '2026-11-14T10:00:00Z';
    const { path, message } = await illegal('/v2/stock/adjustments', adjust({ productCode, occurredAt }));
    expect([path, message.includes('2026-11-14')]).toEqual(['/occurredAt', true]);
    const transfer = { productCode, batchNo: 'B1', from: 'WH-1', to: 'WH-2', quantity: 1, occurredAt };
    await illegal('/v2/stock/transfers', transfer);
    const now = { ...transfer, occurredAt: '2026-11-15T09:58:00Z' };
    expect((await world.call('POST', '/v2/stock/transfers', now)).status).toBe(200);
  });

  it('an adjustment that opens a batch made after it expires, or made tomorrow, is refused', async () => {
    const productCode = await world.newProduct();
    const opening = { productCode, quantityDelta: 5, expiryDate: '2030-01-01' };
    for (const manufactureDate of ['2031-01-01', '2026-11-16'])
      expect((await illegal('/v2/stock/adjustments', adjust({ ...opening, manufactureDate }))).path).toBe(
        '/manufactureDate',
      );
  });
});

describe('booksFrom', () => {
  it('is a year before the organization was created, and can be set', async () => {
    const settings = await world.must<{ booksFrom: string }>('GET', '/v2/settings');
    expect(settings.booksFrom).toBe('2025-11-15');
    const changed = await world.must<{ booksFrom: string }>('PATCH', '/v2/settings', {
      booksFrom: '2020-02-29',
    });
    expect(changed.booksFrom).toBe('2020-02-29');
    const productCode = await world.newProduct();
    const opening = { productCode, warehouse: 'WH-1', batchNo: 'B1', quantityDelta: 5, reason: 'opening' };
    const old = { ...opening, expiryDate: '2030-01-01', occurredAt: '2020-02-29T12:00:00Z' };
    expect((await world.call('POST', '/v2/stock/adjustments', old)).status).toBe(200);
    const future = await world.call('PATCH', '/v2/settings', { booksFrom: '2026-11-16' });
    expect([future.status, future.reason]).toEqual([400, 'illegal_date']);
  });
});
