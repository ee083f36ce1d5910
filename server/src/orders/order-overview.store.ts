import { statement, type Tx } from '../platform/database/index.js';
import { batchRows, reservationRows } from '../stock/index.js';
import { ORDER_STATUSES, type OrderStatus } from './order.js';

export interface OrderOverview {
  byStatus: Record<OrderStatus, number>;
  /** Orders on hold among those still to be approved or shipped. */
  onHold: number;
  shortage: number;
  /** Waiting for somebody's decision, and not on hold. */
  toApprove: number;
}

const statuses = statement('select status, count(*) as count from orders where org_id = $1 group by status');
const held = statement(`
  select count(*) as "onHold", count(*) filter (where status = 'pending_approval') as "pendingOnHold" from orders
  where org_id = $1 and on_hold and status in ('pending_approval', 'approved', 'partially_dispatched')`);
// As the rule has it: more of a line is open than is reserved for it of batches that have not expired.
const short = statement(`
  with reserved as (
    select r.order_id, r.line_no, sum(r.quantity) as quantity from ${reservationRows('$1')} r
    join ${batchRows('$1')} t on t.product_code = r.product_code and t.batch_no = r.batch_no
    where (t.expiry_date is null or t.expiry_date >= $2::date)
    group by r.order_id, r.line_no)
  select count(distinct o.order_id) as count from orders o
  join order_lines l on l.org_id = $1 and l.order_id = o.order_id
  left join reserved p on p.order_id = l.order_id and p.line_no = l.line_no
  where o.org_id = $1 and o.status in ('approved', 'partially_dispatched')
    and l.quantity - l.dispatched_quantity - l.closed_quantity > coalesce(p.quantity, 0)`);

export async function readOrderOverview(tx: Tx): Promise<OrderOverview> {
  const counts = await tx.query<{ status: OrderStatus; count: number }>(statuses, [tx.orgId]);
  const byStatus = Object.fromEntries(
    ORDER_STATUSES.map((status) => [status, counts.find((each) => each.status === status)?.count ?? 0]),
  ) as OrderOverview['byStatus'];
  const [hold] = await tx.query<{ onHold: number; pendingOnHold: number }>(held, [tx.orgId]);
  const [shortage] = await tx.query<{ count: number }>(short, [tx.orgId, tx.today]);
  return {
    byStatus,
    onHold: hold?.onHold ?? 0,
    shortage: shortage?.count ?? 0,
    toApprove: byStatus.pending_approval - (hold?.pendingOnHold ?? 0),
  };
}
