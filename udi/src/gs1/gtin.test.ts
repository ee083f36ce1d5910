import { describe, expect, it } from 'vitest';
import { canonicalCode, isGln, isGtin } from './gtin.js';

describe('GTINs', () => {
  it.each([
    ['96385074', '00000096385074'],
    ['036000291452', '00036000291452'],
    ['4006381333931', '04006381333931'],
    ['06901234567892', '06901234567892'],
    ['6901234567892', '06901234567892'],
  ])('%s is one code in 14 digits: %s', (code, canonical) => {
    expect(isGtin(code)).toBe(true);
    expect(canonicalCode(code)).toBe(canonical);
    expect(canonicalCode(canonicalCode(code))).toBe(canonical);
  });

  it.each([
    '96385075',
    '4006381333932',
    '123456789',
    '690123456789A',
    '４００６３８１３３３９３１',
    ' 96385074',
    'PUMP-1',
    '',
  ])('%j is none, and stays as it is', (code) => {
    expect(isGtin(code)).toBe(false);
    expect(canonicalCode(code)).toBe(code);
  });

  it('one wrong digit, or two neighbours exchanged, is noticed', () => {
    const code = '06901234567892';
    for (let i = 0; i < code.length; i++) {
      const wrong = code.slice(0, i) + String((Number(code[i]) + 1) % 10) + code.slice(i + 1);
      expect([wrong, isGtin(wrong)]).toEqual([wrong, false]);
    }
    expect(isGtin('60901234567892')).toBe(false);
  });
});

it('a Global Location Number has 13 digits, the last of which fits the others', () => {
  expect(isGln('4012345000009')).toBe(true);
  for (const text of ['4012345000008', '401234500000', '04012345000009', '401234500000A', ''])
    expect([text, isGln(text)]).toEqual([text, false]);
});
