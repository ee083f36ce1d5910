import { lockOrder, type Order } from '../orders/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import type { Dispatch } from './dispatch.js';
import { findDispatch, findOrderOfDispatch } from './dispatch.store.js';

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
  const orderId = await findOrderOfDispatch(tx, dispatchId);
  if (orderId === null) throw missing('dispatch', 'dispatchId');
  const order = await lockOrder(tx, orderId);
  return { order, dispatch: await readDispatch(tx, dispatchId) };
}
