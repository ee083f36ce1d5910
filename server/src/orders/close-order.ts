import type { Tx } from '../platform/database/index.js';
import { giveBackReservations } from '../stock/index.js';
import { hasOpenDispatch, hasUndeliveredDispatch } from './dispatch-hooks.js';
import { lockOrder, readOrder } from './load-order.js';
import { moveOrders } from './move-orders.js';
import { refuseOrder } from './order.errors.js';
import type { Order, OrderStatus } from './order.js';
import { requireMove } from './order.rules.js';
import { closeOpenLines } from './order.store.js';

/** The rest of the order is not shipped; where everything shipped was delivered already, so is the order. */
export async function closeOrder(tx: Tx, orderId: string, reason: string | null): Promise<Order> {
  const order = await lockOrder(tx, orderId);
  requireMove(order, 'close');
  if (await hasOpenDispatch(tx, orderId)) throw refuseOrder('open_dispatch', null);
  await giveBackReservations(tx, orderId);
  await closeOpenLines(tx, orderId);
  const to: OrderStatus[] = (await hasUndeliveredDispatch(tx, orderId))
    ? ['dispatched']
    : ['dispatched', 'delivered'];
  await moveOrders(tx, [{ order, action: 'close', to, reason, by: tx }]);
  return readOrder(tx, orderId);
}
