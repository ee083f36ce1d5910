import { expect, it } from 'vitest';
import { BANDS, countOf, monthsFrom, periodOf } from './bands.js';

it('bands follow each other without a gap or an overlap', () => {
  const days = BANDS.map((band) => periodOf(band, undefined) as { minDays?: number; maxDays: number });
  days.slice(1).forEach(({ minDays }, i) => {
    expect(minDays).toBe((days[i]?.maxDays ?? 0) + 1);
  });
});

it('a month lasts to its last day', () => {
  expect(periodOf(undefined, '2026-12')).toEqual({ expiresFrom: '2026-12-01', expiresThrough: '2026-12-31' });
  expect(periodOf(undefined, '2028-02')).toMatchObject({ expiresThrough: '2028-02-29' });
});

it('an address with something else shows everything', () => {
  expect(periodOf('45', '2026-13')).toEqual({});
});

it('months follow each other across the year', () => {
  expect(monthsFrom(new Date('2026-11-30T23:59:59Z'), 3)).toEqual(['2026-11', '2026-12', '2027-01']);
});

it('the number of batches is known for a band, and not for a part of it', () => {
  const figures = [{ batches: 3 }, { batches: 70 }];
  expect(countOf({ band: 'expired' }, figures)).toBe(3);
  expect(countOf({ band: '30' }, figures)).toBe(70);
  expect(countOf({ band: '30', warehouse: 'WH-1' }, figures)).toBeUndefined();
  expect(countOf({}, figures)).toBeUndefined();
  expect(countOf({ band: '30' }, undefined)).toBeUndefined();
});
