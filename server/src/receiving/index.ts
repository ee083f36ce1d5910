export { acceptReceipt } from './accept-receipt.js';
export { readIncoming } from './incoming-goods.store.js';
export { receiptReasons } from './receipt.errors.js';
export { receiptRoutes } from './receipt.routes.js';
export { receiptMachine } from './receipt.rules.js';
export { onGoodsRejected, type RejectedGoods } from './receipt-hooks.js';
export { countPendingReceipts, readPendingReceipts } from './receipt-overview.store.js';
export { receiptLineRows, receiptRows } from './receipt-rows.js';
export { syncReceipt } from './sync-receipt.js';
