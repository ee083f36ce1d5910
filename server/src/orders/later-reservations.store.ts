import { statement, type Tx } from '../platform/database/index.js';
import { batchRows, reservationRows } from '../stock/index.js';
import type { Order } from './order.js';

/** Stock that an order of lower priority has reserved and that is not being picked yet. */
export interface LaterReservation {
  orderId: string;
  orderNo: string;
  customerName: string;
  requestedDate: string | null;
  productCode: string;
  batchNo: string;
  expiryDate: string | null;
  quantity: number;
}

/** Shown per product: a popular one is reserved for thousands of orders. */
const SHOWN_MAX = 20;

// An order without a date can wait the longest.
const laterReservations = statement(`
  select f.* from unnest($2::text[]) as p(product_code) cross join lateral (
    select o.order_id as "orderId", o.order_no as "orderNo", o.customer_name as "customerName", o.requested_date as "requestedDate",
      v.product_code as "productCode", v.batch_no as "batchNo", t.expiry_date as "expiryDate", sum(v.quantity)::integer as quantity
    from ${reservationRows('$1')} v
    join orders o on o.org_id = $1 and o.order_id = v.order_id
    join ${batchRows('$1')} t on t.product_code = v.product_code and t.batch_no = v.batch_no
    where v.product_code = p.product_code and v.dispatch_id = '' and o.warehouse = $3 and o.order_id <> $4
      and (coalesce(o.requested_date, 'infinity'), o.created_at, o.order_id) > (coalesce($5::date, 'infinity'), $6::timestamptz, $4)
      and (t.expiry_date is null or t.expiry_date >= $7)
    group by o.order_id, o.order_no, o.customer_name, o.requested_date, o.created_at, v.product_code, v.batch_no, t.expiry_date
    order by coalesce(o.requested_date, 'infinity') desc, o.created_at desc, o.order_id desc, v.batch_no
    limit ${SHOWN_MAX}) f`);

/** Reservations of orders with a later requested date, or the same and created later: the latest first. */
export const readLaterReservations = (
  tx: Tx,
  order: Order,
  productCodes: readonly string[],
): Promise<LaterReservation[]> =>
  tx.query(laterReservations, [
    tx.orgId,
    productCodes,
    order.warehouse,
    order.orderId,
    order.requestedDate,
    order.createdAt,
    tx.today,
  ]);
