import type { Tx } from '../platform/database/index.js';
import { releaseReservations } from '../stock/index.js';
import { hasOpenDispatch } from './dispatch-hooks.js';
import { lockOrder, readOrder } from './load-order.js';
import { moveOrders } from './move-orders.js';
import { refuseOrder } from './order.errors.js';
import type { Order } from './order.js';
import { requireMove } from './order.rules.js';

/** Cancels an order before any of it was shipped, and releases its reservations. */
export async function cancelOrder(tx: Tx, orderId: string, reason: string | null): Promise<Order> {
  const order = await lockOrder(tx, orderId);
  requireMove(order, 'cancel');
  if (await hasOpenDispatch(tx, orderId)) throw refuseOrder('open_dispatch', null);
  await releaseReservations(tx, orderId);
  await moveOrders(tx, [{ order, action: 'cancel', to: ['cancelled'], reason, by: tx }]);
  return readOrder(tx, orderId);
}
