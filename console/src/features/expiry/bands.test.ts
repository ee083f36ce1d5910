import { expect, it } from 'vitest';
import { BANDS, countOf, figureOf, monthsFrom, periodOf } from './bands.js';

const NEXT_180_DAYS = { minDays: 0, maxDays: 180 };

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

it('without a band, stock that has expired is not in the way of stock that can be sold', () => {
  expect(periodOf(undefined, undefined)).toEqual(NEXT_180_DAYS);
  expect(periodOf('45', '2026-13')).toEqual(NEXT_180_DAYS);
});

it('months follow each other across the year', () => {
  expect(monthsFrom(new Date('2026-11-30T23:59:59Z'), 3)).toEqual(['2026-11', '2026-12', '2027-01']);
});

const figures = [
  { batches: 3, quantity: 30 },
  { batches: 70, quantity: 700 },
  { batches: 5, quantity: 50 },
];

it('the next 180 days are the sum of the bands that have not expired', () => {
  expect(figureOf(undefined, figures)).toEqual({ batches: 75, quantity: 750 });
  expect(figureOf(undefined, undefined)).toBeUndefined();
});

it('the number of batches is known for a band, and not for a part of it', () => {
  expect(countOf({ band: 'expired' }, figures)).toBe(3);
  expect(countOf({ band: '30' }, figures)).toBe(70);
  expect(countOf({}, figures)).toBe(75);
  expect(countOf({ band: '30', warehouse: 'WH-1' }, figures)).toBeUndefined();
  expect(countOf({ band: '30' }, undefined)).toBeUndefined();
});
