import { recordAudit } from '../audit/index.js';
import { lockOrders } from '../orders/index.js';
import type { Tx } from '../platform/database/index.js';
import type { Dispatch } from './dispatch.js';
import { dispatchMachine } from './dispatch.rules.js';
import { findOpenDispatches, readDispatches, replacePicks, saveDispatch } from './dispatch.store.js';
import { readDispatch } from './load-dispatch.js';
import { picksWithout, type Withdrawal } from './withdrawal.rules.js';

/** Locks the orders of the product's dispatches that have not left, and returns those dispatches. */
export async function lockOpenDispatches(tx: Tx, productCode: string): Promise<Dispatch[]> {
  const found = await findOpenDispatches(tx, productCode);
  if (found.length === 0) return [];
  await lockOrders(tx, [...new Set(found.map((each) => each.orderId))]);
  const dispatches = await readDispatches(
    tx,
    found.map((each) => each.dispatchId),
  );
  return dispatches.filter(({ status }) => status === 'picking' || status === 'rechecking');
}

/** Takes goods out of a locked dispatch that has not left; others must be picked instead. */
export async function stopDispatch(
  tx: Tx,
  dispatch: Dispatch,
  withdrawal: Withdrawal,
  reason: string,
): Promise<void> {
  dispatchMachine.require(dispatch.status, 'stop');
  await replacePicks(tx, dispatch.dispatchId, picksWithout(dispatch, withdrawal));
  const stopped = { status: 'picking' as const, pickedAt: null, updatedAt: tx.now };
  saveDispatch(tx, { ...dispatch, ...stopped, version: dispatch.version + 1 });
  await recordAudit(tx, {
    action: 'dispatch.stop',
    entityType: 'dispatch',
    entityId: dispatch.dispatchId,
    reason,
    before: dispatch,
    after: await readDispatch(tx, dispatch.dispatchId),
  });
}
