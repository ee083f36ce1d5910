import { tradePartiesLocker } from '../catalogue/index.js';
import { gateReader } from '../certificates/index.js';
import { reservableStockReader } from '../stock/index.js';

// Selected in SQL, so that everything an approval depends on is sent together with the lock of its orders. The condition on
// the status uses no index: with that of the statuses, the planner would read all waiting orders whenever it believes them
// to be few.
const isPending = `coalesce(o.status, '') = 'pending_approval'`;
const pending = `from orders o where o.org_id = $1 and o.order_id = any($2) and ${isPending}`;
const lines = `from order_lines l join orders o on o.org_id = $1 and o.order_id = l.order_id
  where l.org_id = $1 and l.order_id = any($2) and ${isPending}`;
const codes = {
  partnerCodes: `array(select distinct o.customer_code ${pending})`,
  productCodes: `array(select distinct l.product_code ${lines})`,
};

/** Locks the customers, then the products of those of the orders that wait for approval. Values: ids of orders. */
export const lockPartiesOfPending = tradePartiesLocker(codes);

/** The gate of the same orders. */
export const readGateOfPending = gateReader({ partnerType: 'customer', ...codes });

const places = `(select distinct l.product_code, o.warehouse ${lines}) p order by p.product_code, p.warehouse`;

/** The stock that these orders can reserve. Values: ids of orders. */
export const readStockForPending = reservableStockReader({
  productCodes: `array(select p.product_code from ${places})`,
  warehouses: `array(select p.warehouse from ${places})`,
  today: '$3',
});
