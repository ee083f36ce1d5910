import { verifyAudit } from '../../src/audit/index.js';
import { organizationsWithUnnumbered, sequenceEvents } from '../../src/events/index.js';
import { verifyStock } from '../../src/stock/index.js';
import type { TestDatabase } from '../harness/index.js';

/** Invariants of an organization, independent of what was done, in which order and by how many: each query finds violations. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'a balance is negative or reserved twice': `
    select product_code, batch_no, warehouse, quantity, reserved, held from balances
    where org_id = $1 and (quantity < 0 or reserved < 0 or held < 0 or reserved + held > quantity
      or (whole_holds > 0 and reserved > 0))`,
  'something is reserved for an order that cannot ship': `
    select o.order_id, o.status, r.quantity from reservations r join orders o using (org_id, order_id)
    where r.org_id = $1 and o.status not in ('approved', 'partially_dispatched')`,
  'a line has more reserved, shipped and closed than was ordered': `
    select l.order_id, l.line_no, l.quantity, l.dispatched_quantity, l.closed_quantity, r.reserved from order_lines l
    cross join lateral (select coalesce(sum(quantity), 0) as reserved from reservations r
      where r.org_id = l.org_id and r.order_id = l.order_id and r.line_no = l.line_no) r
    where l.org_id = $1 and r.reserved + l.dispatched_quantity + l.closed_quantity > l.quantity`,
  'a dispatch has more reserved than it asks for, or is not open': `
    select r.dispatch_id, d.status, sum(r.quantity), l.quantity from reservations r
    left join dispatches d on d.org_id = r.org_id and d.dispatch_id = r.dispatch_id
    left join dispatch_lines l on l.org_id = r.org_id and l.dispatch_id = r.dispatch_id and l.line_no = r.line_no
    where r.org_id = $1 and r.dispatch_id <> '' group by r.dispatch_id, r.line_no, d.status, l.quantity
    having d.status is null or d.status not in ('picking', 'rechecking') or sum(r.quantity) > l.quantity`,
  'open dispatches take more than is open of a line': `
    select ol.order_id, ol.line_no from order_lines ol
    join dispatch_lines l using (org_id, order_id, line_no) join dispatches d using (org_id, dispatch_id)
    where org_id = $1 and d.status in ('picking', 'rechecking')
    group by ol.order_id, ol.line_no, ol.quantity, ol.dispatched_quantity, ol.closed_quantity
    having sum(l.quantity) > ol.quantity - ol.dispatched_quantity - ol.closed_quantity`,
  'what a line says was shipped and delivered is not what its dispatches say': `
    select l.order_id, l.line_no, l.dispatched_quantity, l.delivered_quantity, d.* from order_lines l
    cross join lateral (select
        coalesce(sum(x.quantity) filter (where d.status in ('dispatched', 'delivered')), 0) as shipped,
        coalesce(sum(x.quantity) filter (where d.status = 'delivered'), 0) as delivered
      from dispatch_lines x join dispatches d using (org_id, dispatch_id)
      where x.org_id = l.org_id and x.order_id = l.order_id and x.line_no = l.line_no) d
    where l.org_id = $1 and (l.dispatched_quantity <> d.shipped or l.delivered_quantity <> d.delivered)`,
  'the status of an order is not what its quantities say': `
    select o.order_id, o.status, q.* from orders o cross join lateral (
      select sum(quantity) as asked, sum(dispatched_quantity) as shipped, sum(closed_quantity) as closed,
        sum(delivered_quantity) as delivered from order_lines l
      where l.org_id = o.org_id and l.order_id = o.order_id) q
    where o.org_id = $1 and o.status is distinct from case
      when o.status in ('pending_approval', 'approved', 'rejected', 'cancelled') and q.shipped + q.closed = 0 then o.status
      when q.shipped + q.closed < q.asked then 'partially_dispatched'
      when q.delivered < q.shipped then 'dispatched' else 'delivered' end`,
  'the ledger of dispatches is not what was picked': `
    select coalesce(m.id, k.id) as id, m.quantity, k.quantity from
      (select document_id as id, batch_no, sum(quantity) as quantity from movements
       where org_id = $1 and kind = 'dispatch' group by 1, 2) m
    full join (select k.dispatch_id as id, k.batch_no, sum(k.quantity) as quantity from dispatch_picks k
       join dispatches d using (org_id, dispatch_id)
       where k.org_id = $1 and d.status in ('dispatched', 'delivered') group by 1, 2) k
      on k.id = m.id and k.batch_no = m.batch_no
    where m.quantity is distinct from k.quantity`,
  'a serialized unit is in two open dispatches': `
    select ol.product_code, s.serial from dispatch_picks k join dispatches d using (org_id, dispatch_id)
    join order_lines ol on ol.org_id = k.org_id and ol.order_id = d.order_id and ol.line_no = k.line_no
    cross join lateral unnest(k.serials) as s(serial)
    where k.org_id = $1 and d.status in ('picking', 'rechecking')
    group by ol.product_code, s.serial having count(*) > 1`,
  'the events of an order are not its status changes, in their order': `
    select coalesce(h.order_id, e.order_id) as order_id, h.moves, e.moves from
      (select order_id, string_agg(previous_status || '>' || current_status, ' ' order by version, step) as moves
       from order_status_changes where org_id = $1 and previous_status is not null group by order_id) h
    full join (select entity_id as order_id, string_agg((body::json->'data'->>'previousStatus') || '>' ||
        (body::json->'data'->>'currentStatus'), ' ' order by position) as moves
       from events where org_id = $1 and event_type = 'order.status_changed' group by entity_id) e
      on e.order_id = h.order_id
    where h.moves is distinct from e.moves`,
  'the history of an order is not a chain that ends in its status': `
    select o.order_id from orders o cross join lateral (
      select array_agg(previous_status order by version, step) as before,
        array_agg(current_status order by version, step) as after
      from order_status_changes h where h.org_id = o.org_id and h.order_id = o.order_id) h
    where o.org_id = $1 and (h.after[array_length(h.after, 1)] <> o.status or h.before[1] is not null
      or h.before[2:] <> h.after[:array_length(h.after, 1) - 1])`,
  'a purchase is not announced exactly when something of it was accepted': `
    select r.receipt_id, e.count from receipts r
    cross join lateral (select coalesce(sum(accepted_quantity), 0) as accepted from receipt_lines l
      where l.org_id = r.org_id and l.receipt_id = r.receipt_id) a
    cross join lateral (select count(*) from events e where e.org_id = r.org_id
      and e.event_type = 'inventory.inbound_completed' and e.entity_id = r.receipt_id) e
    where r.org_id = $1 and e.count <> case when r.kind = 'purchase' and a.accepted > 0 then 1 else 0 end`,
  'a dispatch is not announced exactly when it left': `
    select d.dispatch_id, d.status, e.count from dispatches d
    cross join lateral (select count(*) from events e where e.org_id = d.org_id
      and e.event_type = 'inventory.outbound_completed' and e.entity_id = d.order_id
      and e.body::json->'data'->>'dispatchId' = d.dispatch_id) e
    where d.org_id = $1 and e.count <> case when d.status in ('dispatched', 'delivered') then 1 else 0 end`,
  'low stock is announced twice a day, or where it is not low': `
    select entity_id, at::date from events where org_id = $1 and event_type = 'inventory.low_stock'
    group by 1, 2 having count(*) > 1 or bool_or(
      (body::json->'data'->>'availableQuantity')::integer >= (body::json->'data'->>'safetyStock')::integer)`,
  'a customer gave back more than was shipped': `
    select product_code, batch_no, counterparty_code, sum(quantity_delta) from movements
    where org_id = $1 and counterparty_type = 'customer' and not unmatched group by 1, 2, 3 having sum(quantity_delta) > 0`,
  'an unmatched return came in by a receipt that does not allow it': `
    select m.movement_id, r.receipt_id from movements m
    left join receipts r on r.org_id = m.org_id and r.receipt_id = m.document_id
    where m.org_id = $1 and m.unmatched and r.unmatched_reason is null`,
  'something of a cancelled receipt is in the ledger': `
    select m.movement_id from movements m join receipts r on r.org_id = m.org_id and r.receipt_id = m.document_id
    where m.org_id = $1 and r.status = 'cancelled'`,
  'a batch is not what its latest correction says': `
    select b.product_code, b.batch_no, b.expiry_date, c.expiry_date_after from batches b cross join lateral (
      select c.* from movements m join batch_corrections c on c.org_id = m.org_id and c.correction_id = m.document_id
      where m.org_id = b.org_id and m.product_code = b.product_code and m.batch_no = b.batch_no and m.kind = 'correction'
      order by m.position desc limit 1) c
    where b.org_id = $1 and (b.expiry_date is distinct from c.expiry_date_after
      or b.manufacture_date is distinct from c.manufacture_date_after)`,
  'an event has no place in the feed': `
    select event_id from events where org_id = $1 and position is null`,
};

/** All violated invariants; an empty object if there are none. */
export async function exceptionsIn(db: TestDatabase, orgId: string): Promise<Record<string, object>> {
  for (const orgId of await organizationsWithUnnumbered(db.database.worker))
    await sequenceEvents(db.database, orgId);
  const found: Record<string, object> = {};
  for (const [name, text] of Object.entries(EXCEPTIONS)) {
    const rows = await db.sql(text, [orgId]);
    if (rows.length > 0) found[name] = rows.slice(0, 3);
  }
  const verdict = await verifyStock(db.database, orgId);
  if (!verdict.ok) found['stock does not add up'] = verdict;
  const audit = await verifyAudit(db.database, orgId);
  if (!audit.ok) found['the audit does not hold'] = audit;
  return found;
}
