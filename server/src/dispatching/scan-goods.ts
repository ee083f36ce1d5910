import type { Tx } from '../platform/database/index.js';
import { recordScans, resolveScans, type ScanEvidence, type ScannedItem } from '../scanning/index.js';
import { readKnownBatches, readKnownUnits, refuseStock, requireNotRecalled } from '../stock/index.js';
import type { Dispatch, DispatchPick } from './dispatch.js';
import {
  asScanned,
  assignScans,
  goodsOf,
  newScans,
  type PicksAndScans,
  requireAsPicked,
  requireInDate,
  type ScannedGoods,
} from './scan.rules.js';

/** Codes scanned for picks; `reason` says why a batch other than the reserved one was taken. */
export interface PickScans {
  codes: readonly string[];
  reason: string | null;
}

/** Adds scanned goods to the picks. A refusal names the code that does not belong in the dispatch. */
export async function addScansToPicks(
  tx: Tx,
  dispatch: Dispatch,
  picks: readonly DispatchPick[],
  { codes, reason }: PickScans,
): Promise<PicksAndScans> {
  const items = await readCodes(tx, codes);
  const units = await readKnownUnits(tx, serialsOf(items));
  const known = new Map(units.map((unit) => [`${unit.productCode}\n${unit.serialNo}`, unit]));
  const goods = goodsOf(dispatch, items, (code, serial) => known.get(`${code}\n${serial}`)?.batchNo);
  const batches = await readKnownBatches(tx, dispatch.warehouse, goods);
  requireInDate(goods, batches, tx.today);
  await requireNotRecalled(
    tx,
    goods.map((each) => ({ ...each, serials: each.isSerialized ? [each.serialNo ?? ''] : [] })),
  );
  const held = new Set(batches.filter((batch) => batch.isHeld).map((b) => `${b.productCode}\n${b.batchNo}`));
  for (const each of goods) {
    if (held.has(`${each.productCode}\n${each.batchNo}`))
      throw refuseStock('stock_blocked', each.path, `batch ${each.batchNo} is on hold`);
    if (each.isSerialized)
      requireUnitInStock(each, known.get(`${each.productCode}\n${each.serialNo}`), dispatch.warehouse);
  }
  return assignScans(dispatch, picks, goods, reason);
}

function requireUnitInStock(
  goods: ScannedGoods,
  unit: { warehouse: string | null; isHeld: boolean } | undefined,
  warehouse: string,
): void {
  if (unit?.warehouse !== warehouse)
    throw refuseStock('serial_not_in_stock', goods.path, `serial ${goods.serialNo} is not in stock there`);
  if (unit.isHeld) throw refuseStock('stock_blocked', goods.path, `serial ${goods.serialNo} is on hold`);
}

export const recordPickScans = (tx: Tx, dispatch: Dispatch, scans: readonly ScanEvidence[]): Promise<void> =>
  recordScans(tx, 'pick', dispatch.dispatchId, newScans(dispatch, scans));

/** Records the scans of a re-check; it passes only if they match the picks. */
export async function recordRecheckScans(
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
