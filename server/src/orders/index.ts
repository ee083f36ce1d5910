export { approveOrders } from './approve-orders.js';
export { cancelOrder } from './cancel-order.js';
export { hasOpenDispatch, hasUndeliveredDispatch } from './dispatch-hooks.js';
export { lockOrderIfAny, readOrder } from './load-order.js';
export { eventVersion } from './move-orders.js';
export { readOpenDemand } from './open-demand.store.js';
export { orderReasons } from './order.errors.js';
export { ORDER_STATUSES, type Order } from './order.js';
export { orderRoutes } from './order.routes.js';
export { openQuantity, orderMachine, requireMove } from './order.rules.js';
export { listOrders, lockOrders, orderLocker } from './order.store.js';
export {
  readFinishedOrders,
  readOrderOverview,
  readOrdersToApprove,
  readOrdersToDispatch,
} from './order-overview.store.js';
export { orderLineRows, orderRows } from './order-rows.js';
export { type IncomingGoods, readIncomingGoods } from './receipt-hooks.js';
export { rejectOrder } from './reject-order.js';
export { readShelfLifeOfLines } from './required-shelf-life.store.js';
export { deliverOrder, shipOrder } from './ship-order.js';
export { syncOrders } from './sync-orders.js';
