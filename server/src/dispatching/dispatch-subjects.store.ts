import { tradePartiesLocker } from '../catalogue/index.js';
import { gateReader } from '../certificates/index.js';
import { orderLineRows, orderLocker, orderRows } from '../orders/index.js';
import { shippableStockReader } from '../stock/index.js';

// Selected in SQL, so that everything a change of a dispatch depends on is sent together with the lock of its order.
const orderIds = (dispatchId: string) =>
  `array(select d.order_id from dispatches d where d.org_id = $1 and d.dispatch_id = ${dispatchId})`;

/** Locks the order of a dispatch. Values: the id of the dispatch. */
export const lockOrderOfDispatch = orderLocker(orderIds);

const codes = {
  partnerCodes: `array(select o.customer_code from dispatches d join ${orderRows('$1')} o on o.order_id = d.order_id
    where d.org_id = $1 and d.dispatch_id = $2)`,
  productCodes: `array(select distinct ol.product_code from dispatch_lines l
    join ${orderLineRows('$1')} ol on ol.order_id = l.order_id and ol.line_no = l.line_no
    where l.org_id = $1 and l.dispatch_id = $2)`,
};

/** Locks the customer, then the products of a dispatch. Values: the id of the dispatch. */
export const lockPartiesOfDispatch = tradePartiesLocker(codes);

/** The gate of a dispatch. Values: its id. */
export const readGateOfDispatch = gateReader({ partnerType: 'customer', ...codes });

const units = `dispatch_picks k
  join dispatch_lines l on l.org_id = $1 and l.dispatch_id = k.dispatch_id and l.line_no = k.line_no
  join ${orderLineRows('$1')} ol on ol.order_id = l.order_id and ol.line_no = l.line_no
  cross join lateral unnest(k.serials) as u(serial_no)
  where k.org_id = $1 and k.dispatch_id = $2 order by k.line_no, k.batch_no, u.serial_no`;

/** The stock reserved for a dispatch, and the serialized units picked for it. Values: its id. */
export const readStockOfDispatch = shippableStockReader({
  orderIds: orderIds('$2'),
  dispatchId: '$2',
  productCodes: `array(select ol.product_code from ${units})`,
  serialNos: `array(select u.serial_no from ${units})`,
});
