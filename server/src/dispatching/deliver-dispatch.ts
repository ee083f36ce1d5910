import { recordAudit } from '../audit/index.js';
import { deliverOrder } from '../orders/index.js';
import { earliestAccepted, maxAcceptedTimestamp } from '../platform/clock/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseDate } from '../platform/errors/index.js';
import { noteDelivery } from '../stock/index.js';
import { refuseDispatch } from './dispatch.errors.js';
import type { Dispatch } from './dispatch.js';
import { dispatchMachine } from './dispatch.rules.js';
import { saveDispatch } from './dispatch.store.js';
import { lockDispatch, readDispatch } from './load-dispatch.js';
import { toStockPick } from './pick-dispatch.js';

/** Records that the customer received the dispatch. */
export async function deliverDispatch(
  tx: Tx,
  dispatchId: string,
  receivedBy: string,
  receivedAt: Date,
): Promise<Dispatch> {
  const { order, dispatch } = await lockDispatch(tx, dispatchId);
  dispatchMachine.require(dispatch.status, 'deliver');
  if (receivedAt.getTime() > maxAcceptedTimestamp(tx.now))
    throw refuseDispatch('in_the_future', '/receivedAt');
  const { dispatchedAt } = dispatch;
  if (dispatchedAt !== null && receivedAt.getTime() < earliestAccepted(dispatchedAt))
    throw refuseDate(
      '/receivedAt',
      `receivedAt ${receivedAt.toISOString()} is before the dispatch, ${dispatchedAt.toISOString()}`,
    );
  const delivered = { status: 'delivered' as const, receivedBy, deliveredAt: receivedAt };
  saveDispatch(tx, { ...dispatch, ...delivered, version: dispatch.version + 1, updatedAt: tx.now });
  await noteDelivery(tx, {
    warehouse: order.warehouse,
    customerCode: order.customerCode,
    document: { type: 'dispatch', id: dispatchId, no: order.orderNo },
    picks: dispatch.lines.flatMap((line) =>
      line.picks.map((pick) => toStockPick(dispatch, { ...pick, lineNo: line.lineNo })),
    ),
    deliveredAt: receivedAt,
  });
  await deliverOrder(tx, order, dispatch.lines);
  const after = await readDispatch(tx, dispatchId);
  await recordAudit(tx, {
    action: 'dispatch.deliver',
    entityType: 'dispatch',
    entityId: dispatchId,
    before: dispatch,
    after,
  });
  return after;
}
