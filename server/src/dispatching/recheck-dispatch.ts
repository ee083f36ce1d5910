import { recordAudit } from '../audit/index.js';
import { saleIssues } from '../catalogue/index.js';
import type { Subject } from '../certificates/index.js';
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
import { lockPartiesOfDispatch, readGateOfDispatch, readStockOfDispatch } from './dispatch-subjects.store.js';
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

/** Re-check by a second person. If it passes, the stock leaves; if it fails, the dispatch returns to picking. */
export async function recheckDispatch(tx: Tx, dispatchId: string, recheck: Recheck): Promise<Dispatch> {
  // Sent together: each of them selects its rows by the id of the dispatch.
  const [{ order, dispatch }, isSamePersonAllowed, goods] = await Promise.all([
    lockDispatch(tx, dispatchId),
    maySamePersonRecheck(tx),
    recheck.result === 'pass' ? lockGoodsOf(tx, dispatchId) : null,
  ]);
  dispatchMachine.require(dispatch.status, 'recheck');
  requireMove(order, 'dispatch');
  if (dispatch.pickedBy === tx.actor && !isSamePersonAllowed) throw refuseDispatch('same_person', null);
  if (recheck.scans) await recordRecheckScans(tx, dispatch, recheck.scans, recheck.result);
  const checked: Dispatch = {
    ...dispatch,
    recheckedBy: tx.actor,
    recheckedAt: tx.now,
    recheckReason: recheck.reason,
    version: dispatch.version + 1,
    updatedAt: tx.now,
  };
  if (goods) return ship(tx, order, { dispatch, checked }, recheck, goods);
  saveDispatch(tx, { ...checked, status: 'picking', pickedAt: null });
  return auditRecheck(tx, recheck, dispatch, await readDispatch(tx, dispatchId));
}

async function auditRecheck(tx: Tx, recheck: Recheck, before: Dispatch, after: Dispatch): Promise<Dispatch> {
  const action = recheck.result === 'pass' ? 'dispatch.pass' : 'dispatch.fail';
  await recordAudit(tx, {
    action,
    entityType: 'dispatch',
    entityId: after.dispatchId,
    reason: recheck.reason,
    before,
    after,
  });
  return after;
}

/** Locks the stock that a dispatch takes and reads what would prevent it. The order is locked already. */
async function lockGoodsOf(tx: Tx, dispatchId: string) {
  const [parties, gate, stock] = await Promise.all([
    lockPartiesOfDispatch(tx, [dispatchId]),
    readGateOfDispatch(tx, [dispatchId]),
    readStockOfDispatch(tx, dispatchId),
  ]);
  return { parties, gate, stock };
}

async function ship(
  tx: Tx,
  order: Order,
  { dispatch, checked }: { dispatch: Dispatch; checked: Dispatch },
  recheck: Recheck,
  { parties, gate, stock }: Awaited<ReturnType<typeof lockGoodsOf>>,
): Promise<Dispatch> {
  const { dispatchId } = dispatch;
  const lines = dispatch.lines.map(({ productCode }, i) => ({ path: `/lines/${i}`, productCode }));
  refuseAny(saleIssues(parties, order.customerCode, lines, 'cancel the dispatch'));
  const subjects: Subject[] = [{ type: 'customer', code: order.customerCode }];
  subjects.push(...dispatch.lines.map((line) => ({ type: 'product' as const, code: line.productCode })));
  const warnings = gate(subjects);
  const shipped = shipStock(tx, stock, {
    order,
    dispatchId,
    customerCode: order.customerCode,
    document: { type: 'dispatch', id: dispatchId, no: order.orderNo },
    picks: dispatch.lines.flatMap((line) =>
      line.picks.map((pick) => toStockPick(dispatch, { ...pick, lineNo: line.lineNo })),
    ),
  });
  const { carrier, trackingNo } = recheck;
  keepWords(tx, dispatchId);
  saveDispatch(tx, {
    ...checked,
    ...{ status: 'dispatched', dispatchedAt: tx.now, carrier, trackingNo, warnings },
  });
  if (trackingNo !== null) noteSearchable(tx, 'dispatch', [dispatchId]);
  // Read again, so that the event has the names that the dispatch keeps from now on.
  const [after] = await Promise.all([readDispatch(tx, dispatchId), shipped]);
  await publishEvents(tx, [outboundCompleted(tx, order, after)]);
  await shipOrder(tx, order, dispatch.lines);
  return auditRecheck(tx, recheck, dispatch, after);
}

function outboundCompleted(tx: Tx, order: Order, dispatch: Dispatch) {
  const at = tx.now > order.updatedAt ? tx.now : order.updatedAt;
  return {
    type: 'inventory.outbound_completed' as const,
    at,
    // Dated just before the status changes that follow from it.
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
