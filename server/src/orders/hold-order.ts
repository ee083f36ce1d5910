import type { Tx } from '../platform/database/index.js';
import { lockOrder, readOrder } from './load-order.js';
import { moveOrders } from './move-orders.js';
import { refuseOrder } from './order.errors.js';
import type { Order } from './order.js';
import { requireMove } from './order.rules.js';

/** Sets a flag that blocks every action except cancel and release; the status does not change. */
export async function holdOrder(tx: Tx, orderId: string, reason: string | null): Promise<Order> {
  const order = await lockOrder(tx, orderId);
  requireMove(order, 'hold');
  await moveOrders(tx, [{ order, action: 'hold', to: [], onHold: true, reason, by: tx }]);
  return readOrder(tx, orderId);
}

export async function releaseOrder(tx: Tx, orderId: string, reason: string | null): Promise<Order> {
  const order = await lockOrder(tx, orderId);
  requireMove(order, 'release');
  if (!order.onHold) throw refuseOrder('order_not_on_hold', null);
  await moveOrders(tx, [{ order, action: 'release', to: [], onHold: false, reason, by: tx }]);
  return readOrder(tx, orderId);
}
