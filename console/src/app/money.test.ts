import { describe, expect, it } from 'vitest';
import { formatMoney, timesPrice } from './money.js';

describe('money', () => {
  it('has all decimals that the service sent, and at least those of its currency', () => {
    expect(formatMoney('en', '12.345', 'EUR')).toBe('€12.345');
    expect(formatMoney('en', '12.5', 'EUR')).toBe('€12.50');
    expect(formatMoney('en', '12', 'JPY')).toBe('¥12');
    expect(formatMoney('en', '0.000123', 'USD')).toBe('$0.000123');
  });

  it('is exact beyond what a number can carry', () => {
    expect(formatMoney('en', '999999999999.123457', 'EUR')).toBe('€999,999,999,999.123457');
  });
});

it.each([
  ['581.8', 835, '485803'],
  ['0.001', 3, '0.003'],
  ['12', 3, '36'],
  ['0.10', 0, '0'],
  ['12.500000', 4, '50'],
  ['9007199254740993.01', 2, '18014398509481986.02'],
])('%s times %s is %s', (price, quantity, amount) => expect(timesPrice(price, quantity)).toBe(amount));
