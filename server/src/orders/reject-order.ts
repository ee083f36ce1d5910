import type { Tx } from '../platform/database/index.js';
import { lockOrder, readOrder } from './load-order.js';
import { moveOrders } from './move-orders.js';
import type { Order } from './order.js';
import { requireMove } from './order.rules.js';

export async function rejectOrder(tx: Tx, orderId: string, reason: string): Promise<Order> {
  const order = await lockOrder(tx, orderId);
  requireMove(order, 'reject');
  await moveOrders(tx, [{ order, action: 'reject', to: ['rejected'], reason, by: tx }]);
  return readOrder(tx, orderId);
}
