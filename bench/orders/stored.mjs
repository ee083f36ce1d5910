/*
 * Checks the tables after a comparison: exactly the acknowledged orders are stored, and nothing is reserved twice.
 */

import { hotProductOf, LINES, orderNoOf } from './records.mjs';
import { BASE } from './tables.mjs';

/** Rows of a table by order, counted at once: not all of them have an index to look one order up by. */
const perOrder = (table, orderId, figure, where = 'true') =>
  `(select org_id, ${orderId} as order_id, ${figure} as figure from ${table} where ${where} group by 1, 2)`;

/** The record each side keeps of a new order: the server in its audit trail, BASE in its outbox. */
const recordOf = (schema) =>
  schema === BASE
    ? perOrder(`${schema}.events`, 'entity_id', 'count(*)', "event_type = 'order.created'")
    : perOrder(`${schema}.audit_entries`, 'entity_id', 'count(*)', "action = 'order.create'");

/** Checks that every new order has all its rows; returns the problems. */
export async function findSyncProblems(owner, { schema, series, answered }) {
  const { rows } = await owner.query(
    `select count(*)::int as orders,
      count(*) filter (where lines.figure = ${LINES} and changes.figure = 1 and recorded.figure = 1)::int as whole
    from ${schema}.orders o
    left join ${perOrder(`${schema}.order_lines`, 'order_id', 'count(*)')} lines using (org_id, order_id)
    left join ${perOrder(`${schema}.order_status_changes`, 'order_id', 'count(*)')} changes using (org_id, order_id)
    left join ${recordOf(schema)} recorded using (org_id, order_id)
    where starts_with(o.order_no, $1)`,
    [orderNoOf(series, '')],
  );
  const [{ orders, whole }] = rows;
  if (orders === answered && whole === answered) return [];
  return [`${schema}: ${answered} orders answered, ${orders} stored, ${whole} of them whole`];
}

/** Counts units reserved beyond the stock, by the balances and by the reservations themselves. */
export async function countOversold(owner, { schema, orgId, series }) {
  const { rows } = await owner.query(
    `select coalesce(sum(greatest(b.reserved - b.quantity, r.allocated - b.quantity, 0)), 0)::int as oversold
    from ${schema}.balances b cross join lateral (
      select coalesce(sum(v.quantity), 0) as allocated from ${schema}.reservations v
      where v.org_id = b.org_id and v.product_code = b.product_code and v.warehouse = b.warehouse
        and v.batch_no = b.batch_no) r
    where b.org_id = $1 and b.product_code = $2`,
    [orgId, hotProductOf(series)],
  );
  return rows[0].oversold;
}

/** Checks that every approved order has its reservations, history and event, by earliest expiry; returns the problems. */
export async function findApprovalProblems(owner, { schema, orgId, series, answered }) {
  const { rows: orders } = await owner.query(
    `select count(*)::int as approved,
      count(*) filter (where allocated.figure = l.quantity and changes.figure = 2 and recorded.figure = 1)::int as whole
    from ${schema}.orders o
    join ${schema}.order_lines l using (org_id, order_id)
    left join ${perOrder(`${schema}.reservations`, 'order_id', 'sum(quantity)')} allocated using (org_id, order_id)
    left join ${perOrder(`${schema}.order_status_changes`, 'order_id', 'count(*)')} changes using (org_id, order_id)
    left join ${perOrder(`${schema}.events`, 'entity_id', 'count(*)')} recorded using (org_id, order_id)
    where o.org_id = $1 and l.product_code = $2 and o.status = 'approved'`,
    [orgId, hotProductOf(series)],
  );
  const { rows: batches } = await owner.query(
    `select b.quantity - b.reserved as free, b.reserved,
      coalesce((select sum(v.quantity) from ${schema}.reservations v where v.org_id = b.org_id
        and v.product_code = b.product_code and v.batch_no = b.batch_no), 0)::int as allocated
    from ${schema}.balances b join ${schema}.batches t using (org_id, product_code, batch_no)
    where b.org_id = $1 and b.product_code = $2 order by t.expiry_date`,
    [orgId, hotProductOf(series)],
  );
  const problems = [];
  const [{ approved, whole }] = orders;
  if (approved !== answered || whole !== answered)
    problems.push(`${schema}: ${answered} approvals answered, ${approved} stored, ${whole} of them whole`);
  if (batches.some(({ reserved, allocated }) => reserved !== allocated))
    problems.push(`${schema}: reserved is not the sum of the reservations`);
  if (batches.some(({ free }, i) => free > 0 && batches.slice(i + 1).some(({ reserved }) => reserved > 0)))
    problems.push(`${schema}: a later expiry was reserved before an earlier one`);
  return problems;
}
