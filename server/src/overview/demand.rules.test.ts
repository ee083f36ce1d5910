import { describe, expect, it } from 'vitest';
import { datesLeft, daysLeft, demandFor } from './demand.rules.js';

const TODAY = '2026-11-15';
const batch = { batchNo: 'B', expiryDate: '2026-12-14', totalQuantity: 100, blockedQuantity: 0 };
const past = (shippedQuantity: number, openQuantity: number | null = 0) => ({
  shippedQuantity,
  openQuantity,
});

describe('what of a batch is not used in time', () => {
  it('is all beyond the demand of the days left, if it goes on as in the last 90 days', () => {
    // 30 days with the last one: a third of 90 days.
    expect(demandFor(batch, TODAY, past(90), [])).toMatchObject({ expectedUse: 30, surplus: 70 });
    expect(demandFor(batch, TODAY, past(300), [])).toMatchObject({ expectedUse: 100, surplus: 0 });
    expect(demandFor(batch, TODAY, past(0), [])).toMatchObject({ expectedUse: 0, surplus: 100 });
  });

  it('is less when open orders want more than the past would', () => {
    expect(demandFor(batch, TODAY, past(90, 55), [])).toMatchObject({ expectedUse: 55, surplus: 45 });
    expect(demandFor(batch, TODAY, past(90, null), [])).toMatchObject({
      openQuantity: null,
      expectedUse: 30,
    });
  });

  it('is more when other batches go first: those that expire earlier, or with it and by a smaller number', () => {
    const others = [
      { batchNo: 'Z', expiryDate: '2026-12-13', quantity: 10 },
      { batchNo: 'A', expiryDate: '2026-12-14', quantity: 5 },
      { batchNo: 'B', expiryDate: '2026-12-14', quantity: 100 },
      { batchNo: 'C', expiryDate: '2026-12-14', quantity: 400 },
      { batchNo: 'A', expiryDate: '2026-12-15', quantity: 400 },
      { batchNo: 'A', expiryDate: null, quantity: 400 },
    ];
    expect(demandFor(batch, TODAY, past(90), others)).toMatchObject({ expiringEarlier: 15, surplus: 85 });
  });

  it('is all that is blocked, and all of an expired batch', () => {
    expect(demandFor({ ...batch, blockedQuantity: 90 }, TODAY, past(900), [])).toMatchObject({ surplus: 90 });
    const expired = { ...batch, expiryDate: '2026-11-14' };
    expect(demandFor(expired, TODAY, past(900, 900), [])).toMatchObject({ expectedUse: 0, surplus: 100 });
  });
});

it('days left are counted by the calendar, 0 on the last day of use', () => {
  expect(['2026-11-14', '2026-11-15', '2027-03-01'].map((day) => daysLeft(day, TODAY))).toEqual([-1, 0, 106]);
  expect(datesLeft(TODAY, { minDays: 0, maxDays: 30 })).toEqual({ from: TODAY, through: '2026-12-15' });
  expect(datesLeft(TODAY, { maxDays: -1 })).toEqual({ from: undefined, through: '2026-11-14' });
});
