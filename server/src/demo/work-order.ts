import {
  createDispatch,
  type Dispatch,
  deliverDispatch,
  listDispatches,
  pickDispatch,
  recheckDispatch,
} from '../dispatching/index.js';
import { approveOrders, cancelOrder, type Order, readOrder, rejectOrder } from '../orders/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import type { Principal } from '../platform/principal.js';
import { readSerialsInStock } from '../stock/index.js';

/** The people an order passes through: one picks, another re-checks. */
export interface People {
  sales: Principal;
  warehouse: Principal;
  quality: Principal;
}

export type Goal =
  | 'pending_approval'
  | 'approved'
  | 'rejected'
  | 'cancelled'
  | 'partially_dispatched'
  | 'dispatched'
  | 'delivered';

/**
 * Takes an order towards a goal, step by step as people would. What was done before is not done again, so it can be
 * taken up after a crash; answers where the order stands, which is short of the goal when a step is refused.
 */
export async function workOrder(
  database: Database,
  people: People,
  orderId: string,
  goal: Goal,
): Promise<Order['status']> {
  for (;;) {
    const order = await transact(database, people.sales, (tx) => readOrder(tx, orderId));
    if (order.status === goal || goal === 'pending_approval') return order.status;
    switch (order.status) {
      case 'pending_approval':
        if (goal === 'rejected') {
          await transact(database, people.quality, (tx) =>
            rejectOrder(tx, orderId, 'duplicate of an earlier order'),
          );
        } else if (!(await approve(database, people.quality, orderId))) {
          return order.status;
        }
        break;
      case 'approved':
        if (goal === 'cancelled')
          await transact(database, people.sales, (tx) => cancelOrder(tx, orderId, 'no longer needed'));
        else await ship(database, people, order, goal === 'partially_dispatched');
        break;
      case 'partially_dispatched':
        await ship(database, people, order, false);
        break;
      case 'dispatched':
        await deliverAll(database, people, order);
        break;
      default:
        return order.status;
    }
  }
}

async function approve(database: Database, by: Principal, orderId: string): Promise<boolean> {
  const [outcome] = await transact(database, by, (tx) => approveOrders(tx, [{ orderId, by: tx }]));
  return outcome !== undefined && 'value' in outcome;
}

async function ship(database: Database, people: People, order: Order, part: boolean): Promise<void> {
  const half = order.lines.map((line) => ({ lineNo: line.lineNo, quantity: Math.ceil(line.quantity / 2) }));
  const dispatch = await transact(database, people.warehouse, (tx) =>
    createDispatch(tx, order.orderId, part ? half : undefined),
  );
  await transact(database, people.warehouse, async (tx) =>
    pickDispatch(tx, dispatch.dispatchId, await picksOf(tx, dispatch)),
  );
  const passed = {
    result: 'pass' as const,
    reason: null,
    carrier: 'Kestrel Couriers',
    trackingNo: `KC-${order.orderNo}`,
  };
  await transact(database, people.quality, (tx) => recheckDispatch(tx, dispatch.dispatchId, passed));
}

/** What the pick list says, with serial numbers from the shelf where the product has them. */
async function picksOf(tx: Tx, dispatch: Dispatch) {
  const picks = [];
  for (const line of dispatch.lines) {
    for (const { batchNo, quantity } of line.toPick) {
      const serials =
        line.tracking === 'serial'
          ? await readSerialsInStock(tx, line.productCode, batchNo, dispatch.warehouse, quantity)
          : [];
      picks.push({ lineNo: line.lineNo, batchNo, quantity, serials, reason: null });
    }
  }
  return picks;
}

async function deliverAll(database: Database, people: People, order: Order): Promise<void> {
  const dispatches = await transact(database, people.warehouse, (tx) =>
    listDispatches(tx, { orderId: order.orderId }, null, 50),
  );
  for (const dispatch of dispatches.filter((each) => each.status === 'dispatched')) {
    await transact(database, people.warehouse, (tx) =>
      deliverDispatch(tx, dispatch.dispatchId, 'goods-in desk', tx.now),
    );
  }
}
