export { type Adjustment, adjustStock } from './adjust-stock.js';
export { type HoldRequest, holdStock } from './hold-stock.js';
export { inventoryRoutes } from './inventory.routes.js';
export { stockReasons } from './stock.errors.js';
export { stockRoutes } from './stock.routes.js';
export { verifyStock } from './verify-stock.js';
