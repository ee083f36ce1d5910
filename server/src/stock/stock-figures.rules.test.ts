import { expect, it } from 'vitest';
import { figuresOf } from './stock-figures.rules.js';

const TODAY = '2026-11-15';
const tally = (expiryDate: string, total: number, part: { reserved?: number; held?: number } = {}) => ({
  ...{ expiryDate, total, reserved: 0, held: 0, batches: 1, products: 0, ...part },
});

it('available, reserved and blocked add up to the total; what has expired is blocked, reserved or not', () => {
  const { total, available, reserved, blocked } = figuresOf(
    [
      tally('-infinity', 10, { reserved: 4, held: 1 }),
      tally('2026-11-15', 20, { reserved: 5, held: 2 }),
      tally('infinity', 30, { held: 3 }),
    ],
    TODAY,
  );
  expect({ total, available, reserved, blocked }).toEqual({
    ...{ total: 60, available: 60 - 5 - 15, reserved: 5, blocked: 10 + 2 + 3 },
  });
});

it('a batch is in one band: the last day of use counts as usable, the last day of a band belongs to it', () => {
  const { byExpiry } = figuresOf(
    [
      tally('-infinity', 1),
      tally('2026-11-15', 2),
      tally('2026-12-15', 4),
      tally('2026-12-16', 8),
      tally('2027-01-14', 16),
      tally('2027-05-14', 32),
      tally('2027-05-15', 64),
      tally('infinity', 128),
    ],
    TODAY,
  );
  expect(byExpiry.map(({ throughDays, quantity }) => [throughDays, quantity])).toEqual([
    [null, 1],
    [30, 6],
    [60, 24],
    [90, 0],
    [180, 32],
  ]);
});

it('months begin with the current one and cross the year', () => {
  const { nearExpiry } = figuresOf([tally('2026-11-30', 1), tally('2027-10-01', 2)], TODAY);
  expect(nearExpiry.map(({ month }) => month)).toEqual([
    ...['2026-11', '2026-12', '2027-01', '2027-02', '2027-03', '2027-04'],
    ...['2027-05', '2027-06', '2027-07', '2027-08', '2027-09', '2027-10'],
  ]);
  expect([nearExpiry[0]?.quantity, nearExpiry[11]?.quantity]).toEqual([1, 2]);
});
