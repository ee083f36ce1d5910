import type { Order } from '../orders/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import type { Dispatch } from './dispatch.js';
import { findDispatch } from './dispatch.store.js';
import { lockOrderOfDispatch } from './dispatch-subjects.store.js';

export async function readDispatch(tx: Tx, dispatchId: string): Promise<Dispatch> {
  const dispatch = await findDispatch(tx, dispatchId);
  if (!dispatch) throw missing('dispatch', 'dispatchId');
  return dispatch;
}

/** Locks the order, which guards its dispatches too: a change of one may change the other. */
export async function lockDispatch(
  tx: Tx,
  dispatchId: string,
): Promise<{ order: Order; dispatch: Dispatch }> {
  const [orders, dispatch] = await Promise.all([
    lockOrderOfDispatch(tx, dispatchId),
    findDispatch(tx, dispatchId),
  ]);
  const [order] = orders.values();
  if (!order || !dispatch) throw missing('dispatch', 'dispatchId');
  return { order, dispatch };
}
