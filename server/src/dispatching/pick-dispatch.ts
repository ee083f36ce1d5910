import { recordAudit } from '../audit/index.js';
import { openQuantity, requireMove } from '../orders/index.js';
import type { Tx } from '../platform/database/index.js';
import { type PickedBatch, refuseStock, requireNotRecalled, reserveAsPicked } from '../stock/index.js';
import { refuseDispatch } from './dispatch.errors.js';
import type { Dispatch, DispatchPick, GivenPick } from './dispatch.js';
import { dispatchMachine, isComplete, requirePicks } from './dispatch.rules.js';
import { findPickedElsewhere, replacePicks, saveDispatch } from './dispatch.store.js';
import { lockDispatch, readDispatch } from './load-dispatch.js';
import { addScansToPicks, type PickScans, recordPickScans } from './scan-goods.js';

/** Replaces the picks of a dispatch; complete picks go on to re-check. */
export async function pickDispatch(
  tx: Tx,
  dispatchId: string,
  given: readonly GivenPick[],
  scanned: PickScans = { codes: [], reason: null },
): Promise<Dispatch> {
  const { order, dispatch } = await lockDispatch(tx, dispatchId);
  dispatchMachine.require(dispatch.status, 'pick');
  requireMove(order, 'dispatch');
  await requireNotRecalled(tx, goodsOf(dispatch, given));
  requirePicks(dispatch, given);
  const { picks, scans } = await addScansToPicks(tx, dispatch, given, scanned);
  const stockPicks = picks.map((pick) => toStockPick(dispatch, pick));
  requireEachUnitOnce(stockPicks);
  const open = new Map(order.lines.map((line) => [line.lineNo, openQuantity(line)]));
  const lines = dispatch.lines.map((line) => ({ ...line, open: open.get(line.lineNo) ?? 0 }));
  await reserveAsPicked(tx, order, dispatchId, lines, stockPicks);
  // Checked after the products are locked, so that no other dispatch can pick the same serialized units meanwhile.
  for (const pick of stockPicks) {
    if (pick.serials.length === 0) continue;
    const taken = await findPickedElsewhere(tx, dispatchId, pick.productCode, pick.serials);
    if (taken !== null)
      throw refuseDispatch('serials_mismatch', '/picks', `serial ${taken} is in another open dispatch`);
  }
  await replacePicks(tx, dispatchId, picks);
  await recordPickScans(tx, dispatch, scans);
  const complete = isComplete(dispatch, picks);
  saveDispatch(tx, {
    ...dispatch,
    status: complete ? 'rechecking' : 'picking',
    pickedBy: tx.actor,
    pickedAt: complete ? tx.now : null,
    recheckReason: complete ? null : dispatch.recheckReason,
    version: dispatch.version + 1,
    updatedAt: tx.now,
  });
  const after = await readDispatch(tx, dispatchId);
  requireExpiryDates(after, given);
  await recordAudit(tx, {
    action: 'dispatch.pick',
    entityType: 'dispatch',
    entityId: dispatchId,
    before: dispatch,
    after,
  });
  return after;
}

/** Picks of existing lines; `requirePicks` refuses the others. */
const goodsOf = (dispatch: Dispatch, picks: readonly DispatchPick[]) =>
  picks.flatMap(({ lineNo, batchNo, serials }, i) => {
    const line = dispatch.lines.find((each) => each.lineNo === lineNo);
    return line ? [{ path: `/picks/${i}`, productCode: line.productCode, batchNo, serials }] : [];
  });

/** A batch has one expiry date: a pick that states another one names the wrong goods. */
function requireExpiryDates(picked: Dispatch, given: readonly GivenPick[]): void {
  given.forEach(({ lineNo, batchNo, expiryDate }, i) => {
    const line = picked.lines.find((each) => each.lineNo === lineNo);
    const known = line?.picks.find((each) => each.batchNo === batchNo)?.expiryDate ?? null;
    if (expiryDate !== undefined && expiryDate !== known)
      throw refuseStock(
        'batch_expiry_mismatch',
        `/picks/${i}/expiryDate`,
        `the batch is known with expiry ${known ?? 'none'}`,
      );
  });
}

function requireEachUnitOnce(picks: readonly PickedBatch[]): void {
  const units = picks.flatMap((pick) => pick.serials.map((serial) => `${pick.productCode}\n${serial}`));
  if (new Set(units).size !== units.length)
    throw refuseDispatch('serials_mismatch', '/picks', 'a serialized unit is picked twice');
}

/** A pick with its product code. Refused unless a serial-tracked line names every serialized unit. */
export function toStockPick(dispatch: Dispatch, pick: Omit<DispatchPick, 'reason'>): PickedBatch {
  const line = dispatch.lines.find((each) => each.lineNo === pick.lineNo);
  if (!line) throw new Error('a pick without its line');
  if (line.tracking === 'serial' ? pick.serials.length !== pick.quantity : pick.serials.length > 0) {
    throw refuseDispatch(
      'serials_mismatch',
      '/picks',
      line.tracking === 'serial'
        ? `line ${line.lineNo}: name every serialized unit`
        : `line ${line.lineNo} has no serial numbers`,
    );
  }
  return {
    lineNo: line.lineNo,
    productCode: line.productCode,
    batchNo: pick.batchNo,
    quantity: pick.quantity,
    serials: pick.serials,
  };
}
