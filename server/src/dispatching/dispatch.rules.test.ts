import { describe, expect, it } from 'vitest';
import { Refusal } from '../platform/errors/index.js';
import type { Dispatch, DispatchPick } from './dispatch.js';
import { chooseLines, isComplete, requirePicks } from './dispatch.rules.js';

const dispatch = {
  lines: [
    {
      lineNo: 1,
      quantity: 10,
      toPick: [
        { batchNo: 'A', quantity: 6 },
        { batchNo: 'B', quantity: 4 },
      ],
    },
  ],
} as Dispatch;
const pick = (batchNo: string, quantity: number, more: Partial<DispatchPick> = {}): DispatchPick => ({
  lineNo: 1,
  batchNo,
  quantity,
  serials: [],
  reason: null,
  ...more,
});

function refusalOf(work: () => unknown): [string, string | null] | null {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [issue] = error.issues;
    return [issue?.reason ?? '', issue?.path ?? null];
  }
  return null;
}
const picked = (...picks: DispatchPick[]) => refusalOf(() => requirePicks(dispatch, picks));

describe('picks', () => {
  it('of a reserved batch need a reason from the first unit above its reservation', () => {
    expect(picked(pick('A', 6), pick('B', 4))).toBeNull();
    expect(picked(pick('B', 3), pick('A', 7))).toEqual(['reason_required', '/picks/1/reason']);
    expect(picked(pick('A', 7, { reason: 'B is damaged' }))).toBeNull();
  });

  it('of a batch that is not reserved need a reason', () => {
    expect(picked(pick('C', 1))).toEqual(['reason_required', '/picks/0/reason']);
    expect(picked(pick('C', 1, { reason: 'A not found' }))).toBeNull();
  });

  it('never exceed the line, not even with a reason', () => {
    const reason = 'A not found';
    expect(picked(pick('A', 6), pick('C', 4, { reason }))).toBeNull();
    expect(picked(pick('A', 6), pick('C', 5, { reason }))).toEqual(['too_many_picked', '/picks']);
  });

  it('name existing lines, and each batch of a line once', () => {
    expect(picked(pick('A', 1, { lineNo: 2 }))).toEqual(['unknown_line', '/picks/0/lineNo']);
    expect(picked(pick('A', 1), pick('A', 1))).toEqual(['duplicate_pick', '/picks']);
  });

  it('are complete with exactly the quantity of every line', () => {
    expect(isComplete(dispatch, [pick('A', 6), pick('B', 3)])).toBe(false);
    expect(isComplete(dispatch, [pick('A', 6), pick('B', 4)])).toBe(true);
  });
});

describe('the lines of a dispatch', () => {
  const left = new Map([
    [1, 3],
    [2, 0],
  ]);
  const chosen = (...lines: { lineNo: number; quantity: number }[]) =>
    refusalOf(() => chooseLines(lines, left));

  it('are all that is left when none are named', () => {
    expect(chooseLines(undefined, left)).toEqual([{ lineNo: 1, quantity: 3 }]);
    expect(refusalOf(() => chooseLines(undefined, new Map([[1, 0]])))).toEqual(['nothing_left', null]);
  });

  it('take at most what is left, and name each line once', () => {
    expect(chosen({ lineNo: 1, quantity: 3 })).toBeNull();
    expect(chosen({ lineNo: 1, quantity: 4 })).toEqual(['more_than_left', '/lines/0/quantity']);
    expect(chosen({ lineNo: 3, quantity: 1 })).toEqual(['unknown_line', '/lines/0/lineNo']);
    expect(chosen({ lineNo: 1, quantity: 1 }, { lineNo: 1, quantity: 1 })).toEqual([
      'unknown_line',
      '/lines',
    ]);
  });
});
