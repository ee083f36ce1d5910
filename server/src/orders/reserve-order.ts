import type { Tx } from '../platform/database/index.js';
import { reserveStock } from '../stock/index.js';
import { insufficientStock } from './approve-orders.js';
import { lockOrder, readOrder } from './load-order.js';
import { moveOrders } from './move-orders.js';
import { refuseOrder } from './order.errors.js';
import type { Order } from './order.js';
import { hasShortage, missingDemand, requireMove } from './order.rules.js';

/** Reserves what an approved order lost to a hold, a recall or the calendar, by the rules of approval. */
export async function reserveOrder(tx: Tx, orderId: string): Promise<Order> {
  const order = await lockOrder(tx, orderId);
  requireMove(order, 'reserve');
  if (!hasShortage(order)) throw refuseOrder('no_shortage', null);
  const [reserved] = await reserveStock(tx, [
    { orderId, warehouse: order.warehouse, lines: missingDemand(order, tx.today) },
  ]);
  if (reserved && reserved.short.length > 0) throw insufficientStock(order, reserved.short);
  await moveOrders(tx, [{ order, action: 'reserve', to: [], by: tx }]);
  return readOrder(tx, orderId);
}
