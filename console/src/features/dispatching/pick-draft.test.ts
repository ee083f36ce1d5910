import { describe, expect, it } from 'vitest';
import type { ScannedGoods } from '../catalogue/scanned-goods.js';
import {
  assign,
  basisOf,
  batchesOf,
  bodyOf,
  type Dispatch,
  draftOf,
  isComplete,
  type PickDraft,
  pickedOf,
  rebase,
  scannedOf,
} from './pick-draft.js';

const line = (lineNo: number, quantity: number, toPick: Record<string, number>, productCode = 'STENT') => ({
  lineNo,
  productCode,
  quantity,
  picks: [],
  toPick: Object.entries(toPick).map(([batchNo, wanted]) => ({ batchNo, quantity: wanted })),
});
/** Only the fields that picking looks at. */
const dispatchOf = (...lines: object[]) => ({ lines, recheckedAt: null }) as unknown as Dispatch;
const goods = (part: Partial<ScannedGoods> = {}): ScannedGoods => ({
  code: 'code',
  productCode: 'STENT',
  productName: 'Stent',
  tracking: 'batch',
  units: 1,
  batchNo: 'B1',
  serialNo: null,
  manufactureDate: null,
  expiryDate: null,
  ...part,
});
const EMPTY: PickDraft = { hand: [], scans: [] };

describe('a scanned unit', () => {
  const dispatch = dispatchOf(line(1, 2, { B1: 2 }), line(2, 3, { B1: 1, B2: 2 }));

  it('goes where its batch is reserved, over several lines if one has no room', () => {
    expect(assign(dispatch, EMPTY, goods({ units: 3 }))).toEqual({
      ok: true,
      needsReason: false,
      parts: [
        { lineNo: 1, batchNo: 'B1', quantity: 2 },
        { lineNo: 2, batchNo: 'B1', quantity: 1 },
      ],
    });
  });

  it('of a batch that is not reserved, or no more, is taken with a reason', () => {
    expect(assign(dispatch, EMPTY, goods({ batchNo: 'B9' }))).toMatchObject({ ok: true, needsReason: true });
    expect(assign(dispatch, EMPTY, goods({ units: 4 }))).toMatchObject({ ok: true, needsReason: true });
  });

  it('is refused where it is not on the list, or more than is wanted', () => {
    expect(assign(dispatch, EMPTY, goods({ productCode: 'OTHER' }))).toEqual({
      ok: false,
      problem: 'notOnList',
    });
    expect(assign(dispatch, EMPTY, goods({ units: 6 }))).toEqual({ ok: false, problem: 'tooMany' });
  });

  it('without a batch in its code is entered by hand', () => {
    expect(assign(dispatch, EMPTY, goods({ batchNo: null }))).toEqual({
      ok: false,
      problem: 'noBatchInCode',
    });
  });

  it('counts on top of what is picked already', () => {
    const picked: PickDraft = {
      hand: [{ lineNo: 1, batchNo: 'B1', quantity: 2, serials: [], reason: null }],
      scans: [],
    };
    expect(assign(dispatch, picked, goods())).toMatchObject({ parts: [{ lineNo: 2, quantity: 1 }] });
    expect(pickedOf(picked, 1)).toBe(2);
    expect(isComplete(dispatch, picked)).toBe(false);
  });
});

describe('a scanned serialized unit', () => {
  const dispatch = dispatchOf(line(1, 2, { B1: 2 }));
  const unit = (part: Partial<ScannedGoods>) => goods({ tracking: 'serial', serialNo: 'SN-1', ...part });

  it('is counted once, by hand or by scanning', () => {
    const scanned: PickDraft = {
      hand: [],
      scans: [{ goods: unit({}), parts: [{ lineNo: 1, batchNo: 'B1', quantity: 1 }], reason: null }],
    };
    expect(assign(dispatch, scanned, unit({}))).toEqual({ ok: false, problem: 'twice' });
    expect(assign(dispatch, scanned, unit({ serialNo: 'SN-2' }))).toMatchObject({ ok: true });
    expect(scannedOf(scanned, 1, 'B1')).toBe(1);
    const byHand: PickDraft = {
      hand: [{ lineNo: 1, batchNo: 'B1', quantity: 1, serials: ['SN-1'], reason: null }],
      scans: [],
    };
    expect(assign(dispatch, byHand, unit({}))).toEqual({ ok: false, problem: 'twice' });
  });

  it('is scanned by itself, not as a package', () => {
    expect(assign(dispatch, EMPTY, unit({ units: 5 }))).toEqual({ ok: false, problem: 'packageOfUnits' });
  });

  it('whose code names no batch is taken for one that is reserved', () => {
    expect(assign(dispatch, EMPTY, unit({ batchNo: null }))).toMatchObject({
      parts: [{ batchNo: 'B1' }],
      needsReason: false,
    });
  });
});

describe('a draft of picks', () => {
  const scan = { goods: goods(), parts: [{ lineNo: 1, batchNo: 'B1', quantity: 1 }], reason: null };

  it('keeps the scans that still fit when the dispatch has changed', () => {
    const changed = dispatchOf({
      ...line(1, 2, { B1: 2 }),
      picks: [{ batchNo: 'B1', quantity: 1, serials: [], reason: null }],
    });
    const next = rebase(changed, { hand: [], scans: [scan, scan] });
    expect(next.scans).toHaveLength(1);
    expect(pickedOf(next, 1)).toBe(2);
    expect(basisOf(changed)).not.toBe(basisOf(dispatchOf(line(1, 2, { B1: 2 }))));
  });

  it('lists reserved batches first, then those picked instead', () => {
    const dispatch = dispatchOf(line(1, 3, { B1: 2, B2: 1 }));
    const draft: PickDraft = {
      hand: [{ lineNo: 1, batchNo: 'B9', quantity: 1, serials: [], reason: 'behind the shelf' }],
      scans: [],
    };
    const [first] = dispatch.lines;
    expect(first && batchesOf(first, draft)).toEqual([
      { batchNo: 'B1', wanted: 2 },
      { batchNo: 'B2', wanted: 1 },
      { batchNo: 'B9', wanted: 0 },
    ]);
  });

  it('is sent with its codes and each reason once; quantities of zero are left out', () => {
    const draft: PickDraft = {
      hand: [
        { lineNo: 1, batchNo: 'B1', quantity: 0, serials: [], reason: null },
        { lineNo: 1, batchNo: 'B2', quantity: 1, serials: [], reason: null },
      ],
      scans: [
        { ...scan, reason: 'damaged' },
        { ...scan, reason: 'damaged' },
      ],
    };
    expect(bodyOf(draft)).toEqual({
      picks: [{ lineNo: 1, batchNo: 'B2', quantity: 1, serials: [], reason: null }],
      scans: ['code', 'code'],
      reason: 'damaged',
    });
    expect(bodyOf(draftOf(dispatchOf(line(1, 1, {}))))).toEqual({ picks: [] });
  });
});
