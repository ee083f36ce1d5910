import type { Tx } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';

/** Whether goods of the order are being picked or re-checked. */
export const hasOpenDispatch = createHook<[tx: Tx, orderId: string], boolean>('orders.hasOpenDispatch');

/** Whether any goods of the order have left, or are about to, without being delivered. */
export const hasUndeliveredDispatch = createHook<[tx: Tx, orderId: string], boolean>(
  'orders.hasUndeliveredDispatch',
);
