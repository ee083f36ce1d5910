import { organizationRows } from '../organizations/index.js';
import { addDays } from '../platform/calendar/index.js';
import { statement, type Tx } from '../platform/database/index.js';
import { firstIdAt } from '../platform/ids/index.js';
import type { WaitingRecord } from '../platform/waiting-record.js';
import { batchRows, reservationRows } from '../stock/index.js';
import { ORDER_STATUSES, type OrderStatus } from './order.js';

export interface OrderOverview {
  byStatus: Record<OrderStatus, number>;
  /** Orders on hold among those still to be approved or shipped. */
  onHold: number;
  shortage: number;
  /** Waiting for a decision, and not on hold. */
  toApprove: number;
  /** Orders by the day they came in and the status they have now; the last day is the current one. */
  byDay: { day: string; byStatus: Partial<Record<OrderStatus, number>> }[];
}

const FINISHED = ['rejected', 'cancelled', 'delivered'] as const satisfies readonly OrderStatus[];
const OPEN = ORDER_STATUSES.filter((status) => !FINISHED.some((each) => each === status));

const statuses = statement(
  'select status, count(*) as count from orders where org_id = $1 and status = any($2) group by status',
);
const held = statement(`
  select count(*) as "onHold", count(*) filter (where status = 'pending_approval') as "pendingOnHold" from orders
  where org_id = $1 and on_hold and status in ('pending_approval', 'approved', 'partially_dispatched')`);
// As in the rule: more of a line is open than is reserved in unexpired batches.
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

// Ids sort by time, so the days are a range of the primary key; one day more, because a day begins at another hour in other
// time zones.
const recent = statement(`
  select (o.created_at at time zone z.time_zone)::date + z.days_ahead as day, o.status, count(*) as count
  from ${organizationRows('$1')} z join orders o on o.org_id = $1 and o.order_id >= $2
  group by 1, 2`);

const DAYS = 14;
const DAY_MS = 86_400_000;

async function readRecentDays(tx: Tx): Promise<OrderOverview['byDay']> {
  const since = new Date(tx.now.getTime() - (DAYS + 1) * DAY_MS);
  const rows = await tx.query<{ day: string; status: OrderStatus; count: number }>(recent, [
    tx.orgId,
    firstIdAt('ord', since),
  ]);
  return Array.from({ length: DAYS }, (_, i) => addDays(tx.today, i - DAYS + 1)).map((day) => ({
    day,
    byStatus: Object.fromEntries(
      rows.filter((row) => row.day === day).map(({ status, count }) => [status, count]),
    ),
  }));
}

/**
 * Where the ids of orders created about this many days from an instant begin: an id is created slightly before its order.
 */
export const orderIdNear = (at: string, days: number): string =>
  firstIdAt('ord', new Date(Date.parse(at) + days * DAY_MS));

/** The orders `o` of each task: what the overview counts and what the list shows for it. */
export const ORDER_TASKS = {
  orders_to_approve: `o.status = 'pending_approval' and not o.on_hold`,
  // Some reserved goods are not yet in any dispatch.
  orders_to_dispatch: `o.status in ('approved', 'partially_dispatched') and not o.on_hold
    and exists (select from ${reservationRows('$1')} r where r.order_id = o.order_id and r.dispatch_id = '')`,
};
export type OrderTask = keyof typeof ORDER_TASKS;

const toApprove = statement(`
  select o.order_id as id, o.order_no as name, o.customer_name as detail, o.created_at as since from orders o
  where o.org_id = $1 and ${ORDER_TASKS.orders_to_approve} order by o.order_id limit $2`);
// Counted up to a limit: a partner may send thousands a day.
const toDispatch = statement(`
  select w.*, count(*) over () as count from (
    select o.order_id as id, o.order_no as name, o.customer_name as detail, o.created_at as since from orders o
    where o.org_id = $1 and ${ORDER_TASKS.orders_to_dispatch}
    order by o.order_id limit $3) w
  order by w.id limit $2`);

/** The oldest orders that wait for approval. */
export const readOrdersToApprove = (tx: Tx, limit: number): Promise<WaitingRecord[]> =>
  tx.query<WaitingRecord>(toApprove, [tx.orgId, limit]);

/** The oldest approved orders with goods to dispatch, and how many there are, counted up to `countMax`. */
export async function readOrdersToDispatch(
  tx: Tx,
  limit: number,
  countMax: number,
): Promise<{ count: number; oldest: WaitingRecord[] }> {
  const rows = await tx.query<WaitingRecord & { count: number }>(toDispatch, [tx.orgId, limit, countMax]);
  return { count: rows[0]?.count ?? 0, oldest: rows.map(({ count: _count, ...record }) => record) };
}

type Counts = { status: OrderStatus; count: number }[];

/** Counts the finished orders: nearly all orders ever, so this takes longer every year. */
export const readFinishedOrders = (tx: Tx): Promise<Counts> =>
  tx.query<Counts[number]>(statuses, [tx.orgId, FINISHED]);

export async function readOrderOverview(
  tx: Tx,
  readFinished: (tx: Tx) => Promise<Counts> = readFinishedOrders,
): Promise<OrderOverview> {
  const counts = [
    ...(await tx.query<Counts[number]>(statuses, [tx.orgId, OPEN])),
    ...(await readFinished(tx)),
  ];
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
    byDay: await readRecentDays(tx),
  };
}
