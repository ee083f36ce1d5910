import type { Tx } from '../platform/database/index.js';
import { releaseReservations } from '../stock/index.js';
import { hasOpenDispatch, hasUndeliveredDispatch } from './dispatch-hooks.js';
import { lockOrder, readOrder } from './load-order.js';
import { moveOrders } from './move-orders.js';
import { refuseOrder } from './order.errors.js';
import type { Order, OrderStatus } from './order.js';
import { requireMove } from './order.rules.js';
import { closeOpenLines } from './order.store.js';

/** Closes the rest of an order. It becomes `delivered` immediately if everything shipped was delivered before. */
export async function closeOrder(tx: Tx, orderId: string, reason: string | null): Promise<Order> {
  const order = await lockOrder(tx, orderId);
  requireMove(order, 'close');
  if (await hasOpenDispatch(tx, orderId)) throw refuseOrder('open_dispatch', null);
  await releaseReservations(tx, orderId);
  await closeOpenLines(tx, orderId);
  const to: OrderStatus[] = (await hasUndeliveredDispatch(tx, orderId))
    ? ['dispatched']
    : ['dispatched', 'delivered'];
  await moveOrders(tx, [{ order, action: 'close', to, reason, by: tx }]);
  return readOrder(tx, orderId);
}
