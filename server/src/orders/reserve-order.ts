import { lockTradeParties } from '../catalogue/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseAny } from '../platform/errors/index.js';
import { reserveStock } from '../stock/index.js';
import { insufficientStock, suspensionIssues } from './approve-orders.js';
import { lockOrder, readOrder } from './load-order.js';
import { moveOrders } from './move-orders.js';
import { refuseOrder } from './order.errors.js';
import type { Order } from './order.js';
import { hasShortage, missingDemand, requireMove } from './order.rules.js';

/** Reserves the stock that an approved order lost to a hold, a recall or expiry, by the rules of approval. */
export async function reserveOrder(tx: Tx, orderId: string): Promise<Order> {
  const order = await lockOrder(tx, orderId);
  requireMove(order, 'reserve');
  if (!hasShortage(order)) throw refuseOrder('no_shortage', null);
  const missing = missingDemand(order, tx.today);
  const parties = await lockTradeParties(
    tx,
    [order.customerCode],
    missing.map((line) => line.productCode),
  );
  refuseAny(suspensionIssues(parties, order, 'cancel or close the order'));
  const [reserved] = await reserveStock(tx, [{ orderId, warehouse: order.warehouse, lines: missing }]);
  if (reserved && reserved.short.length > 0) throw insufficientStock(order, reserved.short);
  await moveOrders(tx, [{ order, action: 'reserve', to: [], by: tx }]);
  return readOrder(tx, orderId);
}
