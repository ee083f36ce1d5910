import { statement, type Tx } from '../platform/database/index.js';

const open = statement(`
  select 1 from dispatches where org_id = $1 and order_id = $2 and status in ('picking', 'rechecking') limit 1`);
const undelivered = statement(`
  select 1 from dispatches where org_id = $1 and order_id = $2 and status not in ('delivered', 'cancelled') limit 1`);

/** Whether goods of the order are being picked or re-checked. */
export const isInOpenDispatch = async (tx: Tx, orderId: string): Promise<boolean> =>
  (await tx.query(open, [tx.orgId, orderId])).length > 0;

/** Whether any goods of the order have left, or are about to, without being delivered. */
export const isUndelivered = async (tx: Tx, orderId: string): Promise<boolean> =>
  (await tx.query(undelivered, [tx.orgId, orderId])).length > 0;
