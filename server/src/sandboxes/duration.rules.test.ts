import { describe, expect, it } from 'vitest';
import { daysOf } from './duration.rules.js';

describe('a duration', () => {
  it.each([
    ['P1D', '2026-11-15', 1],
    ['P30D', '2026-11-15', 30],
    ['P2W', '2026-11-15', 14],
    ['P1M', '2026-11-15', 30],
    ['P1M', '2026-01-31', 28],
    ['P1M', '2028-01-31', 29],
    ['P1Y', '2026-11-15', 365],
    ['P1Y', '2028-02-29', 365],
    ['P1Y', '2027-03-01', 366],
    ['P1Y2M3D', '2026-11-15', 365 + 61 + 3],
    ['P0D', '2026-11-15', 0],
  ])('%s from %s is %i days', (duration, from, days) => {
    expect(daysOf(duration, from)).toBe(days);
  });

  it.each([
    '',
    'P',
    '30',
    'P30',
    '30D',
    'PT24H',
    'P1DT1H',
    'P1W1D',
    'P-1D',
    'p1d',
    'P1.5D',
    'P1D ',
    'P99999D',
  ])('is not %j', (text) => {
    expect(daysOf(text, '2026-11-15')).toBeNull();
  });
});
