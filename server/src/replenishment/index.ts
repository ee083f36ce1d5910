export { noticeLowStock } from './notice-low-stock.js';
