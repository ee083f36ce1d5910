export { findFallenByExpiry } from './expired.store.js';
export { noticeLowStock } from './notice-low-stock.js';
