import { describe, expect, it } from 'vitest';
import { reasonOf, udiOf } from '../test/reading.js';
import { readUdi } from './index.js';

const expiry = (yymmdd: string, today: string) => udiOf(`(01)00844588003288(17)${yymmdd}`, today).expiryDate;

describe('the century of a year with two digits', () => {
  it.each([
    ['2026-11-15', '26', 2026],
    ['2026-11-15', '76', 2076],
    ['2026-11-15', '77', 1977],
    ['2026-11-15', '00', 2000],
    ['2049-01-01', '99', 2099],
    ['2050-01-01', '00', 2100],
    ['2050-01-01', '01', 2001],
    ['2080-06-01', '30', 2130],
    ['2080-06-01', '31', 2031],
    ['1999-12-31', '49', 2049],
    ['1999-12-31', '50', 1950],
  ])('on %s the year %s is %i', (today, year, full) => {
    expect(expiry(`${year}0731`, today)).toBe(`${full}-07-31`);
  });
});

describe('dates', () => {
  it.each([
    ['240200', '2024-02-29'],
    ['250200', '2025-02-28'],
    ['250100', '2025-01-31'],
    ['251200', '2025-12-31'],
    ['240229', '2024-02-29'],
  ])('%s is %s', (text, date) => {
    expect(expiry(text, '2026-11-15')).toBe(date);
  });

  it.each(['250229', '250431', '250001', '251332', '250132', '000000'])('%s is no date', (text) => {
    expect(reasonOf(`(01)00844588003288(17)${text}`)).toBe('illegal_date');
  });

  it('a current day that is none is a mistake of the program', () => {
    for (const today of ['', 'today', '2026-02-30', '26-11-15', '2026-11-15T00:00:00Z'])
      expect(() => readUdi('(01)00844588003288', { today })).toThrow(RangeError);
  });
});
