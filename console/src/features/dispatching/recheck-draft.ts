import type { ScannedGoods } from '../catalogue/scanned-goods.js';
import type { Dispatch, DispatchLine } from './pick-draft.js';

/** The second person's unsaved count. */
export interface RecheckDraft {
  scans: ScannedGoods[];
  /** Counted by hand, by `keyOf`. */
  counts: Record<string, number>;
}

export const EMPTY_RECHECK: RecheckDraft = { scans: [], counts: {} };

/** One picked batch, and how much of it the second person has counted. */
export interface CountedPick {
  key: string;
  line: DispatchLine;
  batchNo: string;
  serials: readonly string[];
  reason: string | null;
  picked: number;
  scanned: number;
  byHand: number;
}

const keyOf = (lineNo: number, batchNo: string): string => `${lineNo} ${batchNo}`;

const isGoodsOf = (row: CountedPick, goods: ScannedGoods): boolean => {
  if (row.line.productCode !== goods.productCode) return false;
  if (goods.tracking === 'serial') return row.serials.includes(goods.serialNo ?? '');
  return goods.tracking === 'none' || row.batchNo === goods.batchNo;
};

/** Each picked batch with its counts. A scan that fits several lines counts for the first with room. */
export function countedPicks(dispatch: Dispatch, draft: RecheckDraft): CountedPick[] {
  const rows = dispatch.lines.flatMap((line) =>
    line.picks.map(({ batchNo, quantity, serials, reason }): CountedPick => {
      const key = keyOf(line.lineNo, batchNo);
      const byHand = draft.counts[key] ?? 0;
      return { key, line, batchNo, serials, reason, picked: quantity, scanned: 0, byHand };
    }),
  );
  for (const goods of draft.scans) {
    let rest = goods.units;
    for (const row of rows.filter((each) => isGoodsOf(each, goods))) {
      const part = Math.min(rest, row.picked - row.scanned);
      row.scanned += part;
      rest -= part;
    }
  }
  return rows;
}

export const countOf = ({ scanned, byHand }: CountedPick): number => scanned + byHand;

/** Whether a scan is of picked goods that are not all scanned yet. A serialized unit counts once. */
export function isAwaited(dispatch: Dispatch, draft: RecheckDraft, goods: ScannedGoods): boolean {
  const isTwice =
    goods.tracking === 'serial' &&
    draft.scans.some(
      ({ productCode, serialNo }) => productCode === goods.productCode && serialNo === goods.serialNo,
    );
  if (isTwice) return false;
  const room = countedPicks(dispatch, draft)
    .filter((row) => isGoodsOf(row, goods))
    .reduce((sum, row) => sum + row.picked - row.scanned, 0);
  return room >= goods.units;
}

const isEqual = (row: CountedPick): boolean => countOf(row) === row.picked;

/**
 * The batch to show after `key` was counted: the same one until it is equal, then the next unequal one. Null for the start.
 */
export function rowAfter(rows: readonly CountedPick[], key: string | null): CountedPick | undefined {
  const at = Math.max(
    rows.findIndex((row) => row.key === key),
    0,
  );
  return [...rows.slice(at), ...rows.slice(0, at)].find((row) => !isEqual(row)) ?? rows[at];
}

/** A re-check passes only if every count is equal. */
export type RecheckState = 'uncounted' | 'differs' | 'equal';

export function stateOf(rows: readonly CountedPick[]): RecheckState {
  if (rows.every((row) => countOf(row) === 0)) return 'uncounted';
  return rows.every(isEqual) ? 'equal' : 'differs';
}

/** The codes to send: the service accepts scans as evidence only if they cover everything picked. */
export const codesOf = (draft: RecheckDraft, rows: readonly CountedPick[]): string[] =>
  rows.every((row) => row.scanned === row.picked) ? draft.scans.map((each) => each.code) : [];
