import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, openTestService } from '../../test/harness/index.js';
import { CURRENCIES } from './currency.rules.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const order = (currency: string, more: object = {}) =>
  service.call('POST', '/v2/orders', {
    orderNo: `SO-${currency}`,
    customerCode: 'HOSP-1',
    warehouse: 'WH-1',
    currency,
    lines: [{ lineNo: 1, productCode: GTIN, quantity: 1, unitPrice: '1.00' }],
    ...more,
  });

describe('the currency of an order', () => {
  it.each([
    ['ZZZ', 'never was one'],
    ['DEM', 'was withdrawn'],
    ['BGN', 'was withdrawn in 2026'],
    ['XXX', 'means no currency'],
    ['XAU', 'is a metal'],
  ])('is not %s, which %s: the field is named, and nothing is stored', async (currency) => {
    const answer = await order(currency);
    expect([answer.status, answer.code]).toEqual([400, 1001]);
    expect(answer.json.errors).toEqual([
      {
        path: '/currency',
        reason: 'unknown_currency',
        message: `${currency} is not a current ISO 4217 currency. Send a code such as EUR or CNY.`,
      },
    ]);
    const { data } = await service.call<{ items: [] }>('GET', `/v2/orders?orderNo=SO-${currency}`);
    expect(data.items).toEqual([]);
  });

  it.each(['CNY', 'EUR', 'XOF', 'XCG', 'ZWG', 'CLF'])('is %s where that is meant', async (currency) => {
    expect(await order(currency)).toMatchObject({ status: 200, data: { currency } });
  });

  it('is not required to cancel an order', async () => {
    await order('USD');
    const row = await service.db.sql(
      "update orders set currency = 'ZZZ' where order_no = 'SO-USD' returning 1",
    );
    expect(row).toHaveLength(1);
    const cancelled = await order('USD', { cancel: true, reason: 'mistaken' });
    expect(cancelled).toMatchObject({ status: 200, data: { status: 'cancelled', currency: 'ZZZ' } });
  });

  it('is one the runtime has a name for, so that pages can show it', () => {
    const names = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' });
    // Newer than the language data of the oldest supported runtime.
    const recent = new Set(['XCG', 'ZWG', 'VED', 'SLE']);
    expect(CURRENCIES.filter((code) => !recent.has(code) && names.of(code) === undefined)).toEqual([]);
  });
});
