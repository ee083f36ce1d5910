import { describe, expect, it } from 'vitest';
import { formatMoney } from './money.js';

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
