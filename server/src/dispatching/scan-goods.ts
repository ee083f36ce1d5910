import type { Tx } from '../platform/database/index.js';
import { recordScans, resolveScans, type ScanEvidence, type ScannedItem } from '../scanning/index.js';
import { readKnownBatches, readKnownPieces, refuseStock, requireNotRecalled } from '../stock/index.js';
import type { Dispatch, DispatchPick } from './dispatch.js';
import {
  asScanned,
  assignScans,
  goodsOf,
  type PicksAndScans,
  requireAsPicked,
  requireInDate,
  type ScannedGoods,
  scansToKeep,
} from './scan.rules.js';

/** Codes scanned for picks, and why another batch than reserved was taken if one was. */
export interface PickScans {
  codes: readonly string[];
  reason: string | null;
}

/** The picks with what was scanned; refused by the code that does not belong in this dispatch. */
export async function picksWithScans(
  tx: Tx,
  dispatch: Dispatch,
  picks: readonly DispatchPick[],
  { codes, reason }: PickScans,
): Promise<PicksAndScans> {
  const items = await readCodes(tx, codes);
  const pieces = await readKnownPieces(tx, serialsOf(items));
  const known = new Map(pieces.map((piece) => [`${piece.productCode}\n${piece.serialNo}`, piece]));
  const goods = goodsOf(dispatch, items, (code, serial) => known.get(`${code}\n${serial}`)?.batchNo);
  const batches = await readKnownBatches(tx, dispatch.warehouse, goods);
  requireInDate(goods, batches, tx.today);
  await requireNotRecalled(
    tx,
    goods.map((each) => ({ ...each, serials: each.isPiece ? [each.serialNo ?? ''] : [] })),
  );
  const held = new Set(batches.filter((batch) => batch.isHeld).map((b) => `${b.productCode}\n${b.batchNo}`));
  for (const each of goods) {
    if (held.has(`${each.productCode}\n${each.batchNo}`))
      throw refuseStock('stock_blocked', each.path, `batch ${each.batchNo} is on hold`);
    if (each.isPiece)
      requirePieceHere(each, known.get(`${each.productCode}\n${each.serialNo}`), dispatch.warehouse);
  }
  return assignScans(dispatch, picks, goods, reason);
}

function requirePieceHere(
  goods: ScannedGoods,
  piece: { warehouse: string | null; isHeld: boolean } | undefined,
  warehouse: string,
): void {
  if (piece?.warehouse !== warehouse)
    throw refuseStock('serial_not_in_stock', goods.path, `serial ${goods.serialNo} is not in stock there`);
  if (piece.isHeld) throw refuseStock('stock_blocked', goods.path, `serial ${goods.serialNo} is on hold`);
}

export const keepPickScans = (tx: Tx, dispatch: Dispatch, scans: readonly ScanEvidence[]): Promise<void> =>
  recordScans(tx, 'pick', dispatch.dispatchId, scansToKeep(dispatch, scans));

/** Compares what was scanned with what was picked, where the re-check passes, and keeps it either way. */
export async function checkScans(
  tx: Tx,
  dispatch: Dispatch,
  codes: readonly string[],
  result: 'pass' | 'fail',
): Promise<void> {
  const items = await readCodes(tx, codes);
  const batches = new Map(
    dispatch.lines.flatMap((line) =>
      line.picks.flatMap((pick) =>
        pick.serials.map((serial) => [`${line.productCode}\n${serial}`, pick.batchNo] as const),
      ),
    ),
  );
  const scans =
    result === 'fail'
      ? asScanned(dispatch, items)
      : requireAsPicked(
          dispatch,
          goodsOf(dispatch, items, (code, serial) => batches.get(`${code}\n${serial}`)),
        );
  await recordScans(tx, 'recheck', dispatch.dispatchId, scans);
}

const readCodes = (tx: Tx, codes: readonly string[]): Promise<ScannedItem[]> =>
  resolveScans(
    tx,
    codes.map((code, i) => ({ code, path: `/scans/${i}` })),
  );

const serialsOf = (items: readonly ScannedItem[]) =>
  items.flatMap(({ tracking, productCode, serialNo }) =>
    tracking === 'serial' && serialNo !== null ? [{ productCode, serialNo }] : [],
  );
