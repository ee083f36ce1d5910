import type { Body, Data } from '@lotward/client';
import type { ScannedGoods } from '../catalogue/scanned-goods.js';

export type Dispatch = Data<'/v2/dispatches/{dispatchId}', 'get'>;
export type DispatchLine = Dispatch['lines'][number];

/** Specification and model, which documents show as one. */
export const specificationOf = ({ specification, model }: DispatchLine): string | null =>
  [specification, model].filter(Boolean).join(' · ') || null;

/** A quantity of a line, with the unit of the product. */
export const quantityText = (quantity: string, { unit }: Pick<DispatchLine, 'unit'>): string =>
  unit === null ? quantity : `${quantity} ${unit}`;

export interface HandPick {
  lineNo: number;
  batchNo: string;
  quantity: number;
  serials: string[];
  reason: string | null;
}

interface Part {
  lineNo: number;
  batchNo: string;
  quantity: number;
}

interface Scan {
  goods: ScannedGoods;
  parts: Part[];
  reason: string | null;
}

/** Unsaved picks. Picks saved before count as picked by hand. */
export interface PickDraft {
  hand: HandPick[];
  scans: Scan[];
  /** Scanned, but not counted until the person gives a reason for the other batch. */
  asked?: { goods: ScannedGoods; reason: string };
}

export const draftOf = (dispatch: Dispatch): PickDraft => ({
  hand: dispatch.lines.flatMap((line) =>
    line.picks.map(({ batchNo, quantity, serials, reason }) => ({
      ...{ lineNo: line.lineNo, batchNo, quantity, serials, reason },
    })),
  ),
  scans: [],
});

/** The state on which a draft is based. If others save picks or the list changes, the draft is rebased. */
export const basisOf = ({ lines, recheckedAt }: Dispatch): string =>
  JSON.stringify([
    recheckedAt,
    lines.map(({ lineNo, quantity, picks, toPick }) => [lineNo, quantity, picks, toPick]),
  ]);

/** Adapts a draft to a dispatch that has changed: keeps saved picks, and scans for which there is quantity left. */
export function rebase(dispatch: Dispatch, stored: PickDraft): PickDraft {
  const draft = draftOf(dispatch);
  for (const scan of stored.scans) {
    const found = assign(dispatch, draft, scan.goods);
    if (found.ok) draft.scans.push({ ...scan, parts: found.parts });
  }
  if (stored.asked && assign(dispatch, draft, stored.asked.goods).ok) draft.asked = stored.asked;
  return draft;
}

const partsOf = (draft: PickDraft): Part[] => [...draft.hand, ...draft.scans.flatMap((scan) => scan.parts)];

const sum = (parts: readonly { quantity: number }[]): number =>
  parts.reduce((total, each) => total + each.quantity, 0);

export const pickedOf = (draft: PickDraft, lineNo: number): number =>
  sum(partsOf(draft).filter((part) => part.lineNo === lineNo));

export const scannedOf = (draft: PickDraft, lineNo: number, batchNo: string): number =>
  sum(
    draft.scans
      .flatMap((scan) => scan.parts)
      .filter((part) => part.lineNo === lineNo && part.batchNo === batchNo),
  );

export const isComplete = (dispatch: Dispatch, draft: PickDraft): boolean =>
  dispatch.lines.every((line) => pickedOf(draft, line.lineNo) === line.quantity);

/** The batches of a line: first those to pick, then others that were picked instead. */
export function batchesOf(line: DispatchLine, draft: PickDraft): { batchNo: string; wanted: number }[] {
  const wanted = line.toPick.map(({ batchNo, quantity }) => ({ batchNo, wanted: quantity }));
  const others = partsOf(draft)
    .filter((part) => part.lineNo === line.lineNo && !wanted.some((each) => each.batchNo === part.batchNo))
    .map(({ batchNo }) => batchNo);
  return [...wanted, ...[...new Set(others)].map((batchNo) => ({ batchNo, wanted: 0 }))];
}

export type PickProblem = 'notOnList' | 'tooMany' | 'twice' | 'noBatchInCode' | 'packageOfUnits';
type Assignment = { ok: true; parts: Part[]; needsReason: boolean } | { ok: false; problem: PickProblem };

/**
 * Assigns a scan to lines in the same way as the service: first to lines whose reservation names its batch, then to any line
 * with quantity left, which needs a reason.
 */
export function assign(dispatch: Dispatch, draft: PickDraft, goods: ScannedGoods): Assignment {
  const lines = dispatch.lines.filter((line) => line.productCode === goods.productCode);
  if (lines.length === 0) return { ok: false, problem: 'notOnList' };
  const isSerialized = goods.tracking === 'serial';
  if (isSerialized && goods.units > 1) return { ok: false, problem: 'packageOfUnits' };
  if (isSerialized && isCounted(lines, draft, goods)) return { ok: false, problem: 'twice' };
  const rooms = lines.map((line) => roomOf(line, draft));
  const batchNo = batchOf(goods, rooms);
  if (batchNo === null) return { ok: false, problem: 'noBatchInCode' };
  const parts: Part[] = [];
  let rest = goods.units;
  const take = (most: (room: Room) => number) => {
    for (const room of rooms) {
      const quantity = Math.min(rest, room.left, most(room));
      if (quantity <= 0) continue;
      room.left -= quantity;
      rest -= quantity;
      parts.push({ lineNo: room.lineNo, batchNo, quantity });
    }
  };
  take((room) => room.reserved.get(batchNo) ?? 0);
  const needsReason = rest > 0;
  take((room) => room.left);
  if (rest > 0) return { ok: false, problem: 'tooMany' };
  return { ok: true, parts, needsReason };
}

interface Room {
  lineNo: number;
  left: number;
  reserved: Map<string, number>;
}

function roomOf(line: DispatchLine, draft: PickDraft): Room {
  const reserved = new Map(line.toPick.map(({ batchNo, quantity }) => [batchNo, quantity]));
  for (const part of partsOf(draft))
    if (part.lineNo === line.lineNo)
      reserved.set(part.batchNo, (reserved.get(part.batchNo) ?? 0) - part.quantity);
  return { lineNo: line.lineNo, left: line.quantity - pickedOf(draft, line.lineNo), reserved };
}

/** A serialized unit without a batch in its code is assumed to belong to a reserved batch; the service looks it up. */
function batchOf(goods: ScannedGoods, rooms: readonly Room[]): string | null {
  if (goods.tracking === 'none') return '';
  if (goods.batchNo !== null) return goods.batchNo;
  if (goods.tracking === 'batch') return null;
  const reserved = rooms.flatMap((room) => [...room.reserved]).find(([, left]) => left > 0);
  return reserved?.[0] ?? '';
}

function isCounted(lines: readonly DispatchLine[], draft: PickDraft, goods: ScannedGoods): boolean {
  const ofProduct = new Set(lines.map((line) => line.lineNo));
  const byHand = draft.hand.some(
    (pick) => ofProduct.has(pick.lineNo) && pick.serials.includes(goods.serialNo ?? ''),
  );
  return (
    byHand ||
    draft.scans.some(
      (scan) => scan.goods.productCode === goods.productCode && scan.goods.serialNo === goods.serialNo,
    )
  );
}

/** The request body. It replaces all picks of the dispatch, so it contains all of them. */
export function bodyOf(draft: PickDraft): Body<'/v2/dispatches/{dispatchId}/picks', 'post'> {
  const reasons = [...new Set(draft.scans.flatMap((scan) => (scan.reason === null ? [] : [scan.reason])))];
  return {
    picks: draft.hand.filter((pick) => pick.quantity > 0),
    ...(draft.scans.length === 0 ? {} : { scans: draft.scans.map((scan) => scan.goods.code) }),
    ...(reasons.length === 0 ? {} : { reason: reasons.join('; ') }),
  };
}
