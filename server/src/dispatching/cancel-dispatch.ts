import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { unassignFromDispatch } from '../stock/index.js';
import type { Dispatch } from './dispatch.js';
import { dispatchMachine } from './dispatch.rules.js';
import { keepWords, saveDispatch } from './dispatch.store.js';
import { lockDispatch, readDispatch } from './load-dispatch.js';

/** Cancels a dispatch that has not left; its reservations go back to the order. */
export async function cancelDispatch(tx: Tx, dispatchId: string, reason: string | null): Promise<Dispatch> {
  const { order, dispatch } = await lockDispatch(tx, dispatchId);
  dispatchMachine.require(dispatch.status, 'cancel');
  await unassignFromDispatch(tx, order.orderId, dispatchId);
  keepWords(tx, dispatchId);
  const cancelled = { status: 'cancelled' as const, cancelReason: reason, cancelledAt: tx.now };
  saveDispatch(tx, { ...dispatch, ...cancelled, version: dispatch.version + 1, updatedAt: tx.now });
  const after = await readDispatch(tx, dispatchId);
  await recordAudit(tx, {
    action: 'dispatch.cancel',
    entityType: 'dispatch',
    entityId: dispatchId,
    reason,
    before: dispatch,
    after,
  });
  return after;
}
