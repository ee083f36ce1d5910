import type { Tx } from '../platform/database/index.js';
import { hasUndeliveredDispatch } from './dispatch-hooks.js';
import { moveOrders } from './move-orders.js';
import type { Order } from './order.js';
import { openQuantity, requireMove } from './order.rules.js';
import { addDeliveredQuantities, addDispatchedQuantities } from './order.store.js';

type Shipped = readonly { lineNo: number; quantity: number }[];

/** Counts a dispatch of the locked order that passed re-check, and advances the order. */
export async function shipOrder(tx: Tx, order: Order, lines: Shipped): Promise<void> {
  requireMove(order, 'dispatch');
  await addDispatchedQuantities(tx, order.orderId, lines);
  const left = order.lines.some(
    (line) =>
      openQuantity(line) >
      lines.filter((l) => l.lineNo === line.lineNo).reduce((sum, l) => sum + l.quantity, 0),
  );
  const next = left ? ('partially_dispatched' as const) : ('dispatched' as const);
  await moveOrders(tx, [{ order, action: 'dispatch', to: next === order.status ? [] : [next], by: tx }]);
}

/** Counts a delivered dispatch of the locked order; the last one delivers the order. */
export async function deliverOrder(tx: Tx, order: Order, lines: Shipped): Promise<void> {
  await addDeliveredQuantities(tx, order.orderId, lines);
  const complete = order.status === 'dispatched' && !(await hasUndeliveredDispatch(tx, order.orderId));
  await moveOrders(tx, [{ order, action: 'deliver', to: complete ? ['delivered'] : [], by: tx }]);
}
