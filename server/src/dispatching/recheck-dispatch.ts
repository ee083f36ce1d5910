import { recordAudit } from '../audit/index.js';
import { lockTradeParties, saleIssues } from '../catalogue/index.js';
import { type GateWarning, passGate, type Subject } from '../certificates/index.js';
import { publishEvents } from '../events/index.js';
import { noteSearchable } from '../indexing/index.js';
import { eventVersion, type Order, requireMove, shipOrder } from '../orders/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseAny } from '../platform/errors/index.js';
import { shipStock } from '../stock/index.js';
import { refuseDispatch } from './dispatch.errors.js';
import type { Dispatch } from './dispatch.js';
import { dispatchMachine } from './dispatch.rules.js';
import { keepWords, maySamePersonRecheck, saveDispatch } from './dispatch.store.js';
import { lockDispatch, readDispatch } from './load-dispatch.js';
import { toStockPick } from './pick-dispatch.js';
import { recordRecheckScans } from './scan-goods.js';

export interface Recheck {
  result: 'pass' | 'fail';
  reason: string | null;
  carrier: string | null;
  trackingNo: string | null;
  /** Codes of the goods about to leave. */
  scans?: readonly string[] | undefined;
}

/** Re-check by a second person. Passed, the stock leaves; failed, the dispatch goes back to picking. */
export async function recheckDispatch(tx: Tx, dispatchId: string, recheck: Recheck): Promise<Dispatch> {
  const { order, dispatch } = await lockDispatch(tx, dispatchId);
  dispatchMachine.require(dispatch.status, 'recheck');
  requireMove(order, 'dispatch');
  if (dispatch.pickedBy === tx.actor && !(await maySamePersonRecheck(tx)))
    throw refuseDispatch('same_person', null);
  if (recheck.scans) await recordRecheckScans(tx, dispatch, recheck.scans, recheck.result);
  const checked: Dispatch = {
    ...dispatch,
    recheckedBy: tx.actor,
    recheckedAt: tx.now,
    recheckReason: recheck.reason,
    version: dispatch.version + 1,
    updatedAt: tx.now,
  };
  if (recheck.result === 'pass') {
    const warnings = await ship(tx, order, dispatch);
    const { carrier, trackingNo } = recheck;
    const shipped = { status: 'dispatched' as const, dispatchedAt: tx.now, carrier, trackingNo, warnings };
    await keepWords(tx, dispatchId);
    await saveDispatch(tx, { ...checked, ...shipped });
    if (trackingNo !== null) noteSearchable(tx, 'dispatch', [dispatchId]);
    // Read again, so that the event carries the names that the dispatch keeps from now on.
    await publishEvents(tx, [outboundCompleted(tx, order, await readDispatch(tx, dispatchId))]);
    await shipOrder(tx, order, dispatch.lines);
  } else {
    await saveDispatch(tx, { ...checked, status: 'picking', pickedAt: null });
  }
  const after = await readDispatch(tx, dispatchId);
  const action = recheck.result === 'pass' ? 'dispatch.pass' : 'dispatch.fail';
  await recordAudit(tx, {
    action,
    entityType: 'dispatch',
    entityId: dispatchId,
    reason: recheck.reason,
    before: dispatch,
    after,
  });
  return after;
}

async function ship(tx: Tx, order: Order, dispatch: Dispatch): Promise<GateWarning[]> {
  const parties = await lockTradeParties(
    tx,
    [order.customerCode],
    dispatch.lines.map((line) => line.productCode),
  );
  const lines = dispatch.lines.map(({ productCode }, i) => ({ path: `/lines/${i}`, productCode }));
  refuseAny(saleIssues(parties, order.customerCode, lines, 'cancel the dispatch'));
  const subjects: Subject[] = [{ type: 'customer', code: order.customerCode }];
  subjects.push(...dispatch.lines.map((line) => ({ type: 'product' as const, code: line.productCode })));
  const warnings = await passGate(tx, subjects);
  await shipStock(tx, {
    order,
    dispatchId: dispatch.dispatchId,
    customerCode: order.customerCode,
    document: { type: 'dispatch', id: dispatch.dispatchId, no: order.orderNo },
    picks: dispatch.lines.flatMap((line) =>
      line.picks.map((pick) => toStockPick(dispatch, { ...pick, lineNo: line.lineNo })),
    ),
  });
  return warnings;
}

function outboundCompleted(tx: Tx, order: Order, dispatch: Dispatch) {
  const at = tx.now > order.updatedAt ? tx.now : order.updatedAt;
  return {
    type: 'inventory.outbound_completed' as const,
    at,
    // Just before the status changes that follow from it.
    entity: { type: 'order', id: order.orderId, version: eventVersion(order.version + 1, -1) },
    customerCode: order.customerCode,
    data: {
      dispatchId: dispatch.dispatchId,
      orderId: order.orderId,
      orderNo: order.orderNo,
      customerCode: order.customerCode,
      warehouse: order.warehouse,
      recheckedBy: tx.actor,
      recheckedAt: at.toISOString(),
      lines: dispatch.lines.flatMap((line) =>
        line.picks.map(({ batchNo, expiryDate, quantity, serials }) => ({
          productCode: line.productCode,
          productName: line.productName,
          batchNo,
          expiryDate,
          quantity,
          serials,
        })),
      ),
    },
  };
}
