import { describe, expect, it } from 'vitest';
import type { ScannedGoods } from '../catalogue/scanned-goods.js';
import type { Dispatch } from './pick-draft.js';
import {
  codesOf,
  countedPicks,
  EMPTY_RECHECK,
  isAwaited,
  type RecheckDraft,
  rowAfter,
  stateOf,
} from './recheck-draft.js';

const pick = (batchNo: string, quantity: number, serials: string[] = []) => ({
  batchNo,
  quantity,
  serials,
  reason: null,
});
const dispatch = {
  lines: [
    { lineNo: 1, productCode: 'STENT', picks: [pick('B1', 2)] },
    { lineNo: 2, productCode: 'STENT', picks: [pick('B1', 1), pick('B2', 1)] },
    { lineNo: 3, productCode: 'PUMP', picks: [pick('P', 2, ['S1', 'S2'])] },
  ],
} as unknown as Dispatch;
const goods = (part: Partial<ScannedGoods> = {}) =>
  ({
    code: 'c',
    productCode: 'STENT',
    tracking: 'batch',
    units: 1,
    batchNo: 'B1',
    serialNo: null,
    ...part,
  }) as ScannedGoods;
const unit = (serialNo: string) =>
  goods({ productCode: 'PUMP', tracking: 'serial', batchNo: null, serialNo });
const scanned = (...scans: ScannedGoods[]): RecheckDraft => ({ scans, counts: {} });
const everything = scanned(goods({ units: 3 }), goods({ batchNo: 'B2' }), unit('S1'), unit('S2'));
const counts = (draft: RecheckDraft) => countedPicks(dispatch, draft).map((row) => row.scanned + row.byHand);

describe('the count of the second person', () => {
  it('is by line and batch; a scan fills the first line with room', () => {
    expect(counts(scanned(goods(), goods(), goods()))).toEqual([2, 1, 0, 0]);
    expect(counts(scanned(unit('S2')))).toEqual([0, 0, 0, 1]);
    expect(counts({ scans: [goods()], counts: { '1 B1': 1, '2 B2': 1 } })).toEqual([2, 0, 1, 0]);
  });

  it('takes only picked goods, and each serialized unit once', () => {
    expect(isAwaited(dispatch, EMPTY_RECHECK, goods({ units: 3 }))).toBe(true);
    expect(isAwaited(dispatch, EMPTY_RECHECK, goods({ units: 4 }))).toBe(false);
    expect(isAwaited(dispatch, EMPTY_RECHECK, goods({ batchNo: 'B3' }))).toBe(false);
    expect(isAwaited(dispatch, EMPTY_RECHECK, unit('S9'))).toBe(false);
    expect(isAwaited(dispatch, scanned(unit('S1')), unit('S1'))).toBe(false);
  });

  it('once begun must be equal to what was picked', () => {
    expect(stateOf(countedPicks(dispatch, EMPTY_RECHECK))).toBe('uncounted');
    expect(stateOf(countedPicks(dispatch, scanned(goods())))).toBe('differs');
    expect(stateOf(countedPicks(dispatch, everything))).toBe('equal');
    const tooMany = { ...everything, counts: { '1 B1': 1 } };
    expect(stateOf(countedPicks(dispatch, tooMany))).toBe('differs');
  });

  it('goes on by itself when a batch is equal', () => {
    const after = (draft: RecheckDraft, key: string | null) =>
      rowAfter(countedPicks(dispatch, draft), key)?.key;
    expect(after(EMPTY_RECHECK, null)).toBe('1 B1');
    expect(after(scanned(goods()), '1 B1')).toBe('1 B1');
    expect(after(scanned(goods({ units: 2 })), '1 B1')).toBe('2 B1');
    expect(after(scanned(unit('S1'), unit('S2')), '3 P')).toBe('1 B1');
    expect(after(everything, '2 B2')).toBe('2 B2');
  });

  it('is sent as proof only if everything was scanned', () => {
    expect(codesOf(everything, countedPicks(dispatch, everything))).toHaveLength(4);
    const mixed = { scans: [goods({ units: 3 }), unit('S1'), unit('S2')], counts: { '2 B2': 1 } };
    expect(stateOf(countedPicks(dispatch, mixed))).toBe('equal');
    expect(codesOf(mixed, countedPicks(dispatch, mixed))).toEqual([]);
  });
});
