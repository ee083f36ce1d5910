import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import type { Order } from './order.js';
import { lockOrders, readOrders } from './order.store.js';

export async function readOrder(tx: Tx, orderId: string): Promise<Order> {
  const order = (await readOrders(tx, [orderId])).get(orderId);
  if (!order) throw missing('order', 'orderId');
  return order;
}

/** Locks the order for the rest of the transaction; null if there is none. Orders are always locked before products. */
export async function lockOrderIfAny(tx: Tx, orderId: string): Promise<Order | null> {
  return (await lockOrders(tx, [orderId])).get(orderId) ?? null;
}

export async function lockOrder(tx: Tx, orderId: string): Promise<Order> {
  const order = await lockOrderIfAny(tx, orderId);
  if (!order) throw missing('order', 'orderId');
  return order;
}
