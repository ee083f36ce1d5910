import { describe, expect, it } from 'vitest';
import type { Dispatch } from './dispatch.js';
import { picksWithout, type Withdrawal, withdrawnQuantity } from './withdrawal.rules.js';

const pick = (batchNo: string, quantity: number, serials: string[] = []) => ({
  batchNo,
  quantity,
  serials,
  reason: null,
});
const dispatch = {
  lines: [
    {
      lineNo: 1,
      productCode: 'P',
      toPick: [
        { batchNo: 'A', quantity: 5 },
        { batchNo: 'B', quantity: 2 },
      ],
      picks: [pick('A', 3), pick('B', 2), pick('C', 1)],
    },
    { lineNo: 2, productCode: 'Q', toPick: [], picks: [pick('A', 4)] },
    { lineNo: 3, productCode: 'S', toPick: [], picks: [pick('X', 2, ['1', '2']), pick('Y', 1, ['3'])] },
  ],
} as unknown as Dispatch;

const ofBatch = (productCode: string, batchNo: string): Withdrawal => ({
  productCode,
  coversBatch: (each) => each === batchNo,
  serials: null,
});
const ofUnits = (...serials: string[]): Withdrawal => ({
  productCode: 'S',
  coversBatch: () => true,
  serials: new Set(serials),
});
const kept = (withdrawal: Withdrawal) =>
  picksWithout(dispatch, withdrawal).map((each) => `${each.lineNo} ${each.batchNo} ${each.quantity}`);

describe('goods withdrawn from a dispatch', () => {
  it('count as picked or as on the pick list, the larger of the two, in their own batch only', () => {
    expect(withdrawnQuantity(dispatch, ofBatch('P', 'A'))).toBe(5);
    expect(withdrawnQuantity(dispatch, ofBatch('P', 'B'))).toBe(2);
    expect(withdrawnQuantity(dispatch, ofBatch('P', 'C'))).toBe(1);
    expect(withdrawnQuantity(dispatch, ofBatch('P', 'D'))).toBe(0);
    expect(withdrawnQuantity(dispatch, { ...ofBatch('P', ''), coversBatch: () => true })).toBe(8);
    expect(withdrawnQuantity(dispatch, ofUnits('2', '3', '9'))).toBe(2);
  });

  it('leave all other picks as they are', () => {
    expect(kept(ofBatch('P', 'A'))).toEqual(['1 B 2', '1 C 1', '2 A 4', '3 X 2', '3 Y 1']);
    expect(kept(ofBatch('Q', 'A'))).toEqual(['1 A 3', '1 B 2', '1 C 1', '3 X 2', '3 Y 1']);
  });

  it('by serial number leave the other units of a pick, and no empty pick', () => {
    expect(kept(ofUnits('2', '3'))).toEqual(['1 A 3', '1 B 2', '1 C 1', '2 A 4', '3 X 1']);
    expect(picksWithout(dispatch, ofUnits('2')).find((each) => each.batchNo === 'X')?.serials).toEqual(['1']);
  });
});
