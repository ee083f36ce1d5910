import { partnerRows, productRows, takeWords, wordPairs } from '../catalogue/index.js';
import { type Matches, noteSearchable } from '../indexing/index.js';
import { orderLineRows, orderRows } from '../orders/index.js';
import { organizationRows } from '../organizations/index.js';
import {
  Filter,
  type ListPage,
  listRows,
  organizationRow,
  statement,
  type Tx,
} from '../platform/database/index.js';
import { scanRows } from '../scanning/index.js';
import { batchRows, reservationRows } from '../stock/index.js';
import type { Dispatch, DispatchPick } from './dispatch.js';
import { DISPATCH_TASKS, type DispatchTask } from './dispatch-overview.store.js';
import { dispatchNo } from './dispatch-rows.js';

// The pick list contains what is reserved and not expired: $2 is today.
const columns = `d.dispatch_id as "dispatchId", ${dispatchNo('d', 'o')} as "dispatchNo", d.order_id as "orderId", o.order_no as "orderNo", o.customer_code as "customerCode",
  coalesce(d.customer_name, c.name) as "customerName",
  o.warehouse, d.status, d.picked_by as "pickedBy", d.rechecked_by as "recheckedBy", d.recheck_reason as "recheckReason", d.carrier,
  d.tracking_no as "trackingNo", d.received_by as "receivedBy", d.cancel_reason as "cancelReason", d.version,
  d.created_at as "createdAt", d.created_by as "createdBy", d.updated_at as "updatedAt", d.picked_at as "pickedAt",
  d.rechecked_at as "recheckedAt", d.dispatched_at as "dispatchedAt", d.delivered_at as "deliveredAt", d.cancelled_at as "cancelledAt",
  d.warnings,
  coalesce((select json_agg(json_build_object('purpose', c.purpose, 'code', c.code, 'lineNo', c.line_no, 'batchNo', c.batch_no,
      'serialNo', c.serial_no, 'quantity', c.quantity, 'scannedBy', c.scanned_by, 'scannedAt', c.scanned_at) order by c.scan_id)
    from ${scanRows('$1')} c where c.document_id = d.dispatch_id), '[]') as scans,
  (select json_agg(json_build_object('lineNo', l.line_no, 'productCode', ol.product_code, ${wordPairs('l', 'p')},
      'tracking', p.tracking, 'quantity', l.quantity,
      'toPick', coalesce((select json_agg(json_build_object('batchNo', r.batch_no, 'quantity', r.quantity) order by t.expiry_date nulls last, r.batch_no)
        from ${reservationRows('$1')} r
        join ${batchRows('$1')} t on t.product_code = r.product_code and t.batch_no = r.batch_no
        where r.order_id = d.order_id and r.dispatch_id = d.dispatch_id and r.line_no = l.line_no
          and (t.expiry_date is null or t.expiry_date >= $2)), '[]'),
      'picks', coalesce((select json_agg(json_build_object('batchNo', k.batch_no, 'expiryDate', t.expiry_date, 'quantity', k.quantity,
          'serials', k.serials, 'reason', k.reason) order by k.batch_no)
        from dispatch_picks k join ${batchRows('$1')} t on t.product_code = ol.product_code and t.batch_no = k.batch_no
        where k.org_id = $1 and k.dispatch_id = d.dispatch_id and k.line_no = l.line_no), '[]')) order by l.line_no)
    from dispatch_lines l
    join ${orderLineRows('$1')} ol on ol.order_id = l.order_id and ol.line_no = l.line_no
    join ${productRows('$1')} p on p.product_code = ol.product_code
    where l.org_id = $1 and l.dispatch_id = d.dispatch_id) as lines`;
const source = `dispatches d join ${orderRows('$1')} o on o.order_id = d.order_id
  join ${partnerRows('$1')} c on c.code = o.customer_code`;
const byId = statement(`select ${columns} from ${source} where d.org_id = $1 and d.dispatch_id = $3`);
const byIds = statement(
  `select ${columns} from ${source} where d.org_id = $1 and d.dispatch_id = any($3) order by d.dispatch_id`,
);
const insert = statement(`
  insert into dispatches (org_id, dispatch_id, order_id, number, status, version, created_at, created_by, updated_at)
  select g.org_id, $2, $3, 1 + (select count(*) from dispatches x where x.org_id = $1 and x.order_id = $3), 'picking', 1,
    $4::timestamptz, $5, $4::timestamptz
  from ${organizationRow('g')} returning 1`);
const insertLines = statement(`
  insert into dispatch_lines (org_id, dispatch_id, order_id, line_no, quantity)
  select g.org_id, $2, $3, l.line_no, l.quantity from ${organizationRow('g')}, unnest($4::integer[], $5::integer[]) as l(line_no, quantity) returning 1`);
const removePicks = statement('delete from dispatch_picks where org_id = $1 and dispatch_id = $2');
const insertPicks = statement(`
  insert into dispatch_picks (org_id, dispatch_id, line_no, batch_no, quantity, serials, reason)
  select g.org_id, $2, k."lineNo", k."batchNo", k.quantity, k.serials, k.reason
  from ${organizationRow('g')}, jsonb_to_recordset($3::jsonb) as k("lineNo" integer, "batchNo" text, quantity integer, serials text[], reason text)
  returning 1`);
const save = statement(`
  update dispatches set status = $3, picked_by = $4, rechecked_by = $5, recheck_reason = $6, carrier = $7, tracking_no = $8,
    received_by = $9, cancel_reason = $10, version = $11, updated_at = $12, picked_at = $13, rechecked_at = $14,
    dispatched_at = $15, delivered_at = $16, cancelled_at = $17, warnings = $18
  where org_id = $1 and dispatch_id = $2`);
const keepLineWords = statement(`
  update dispatch_lines l set ${takeWords('p')} from ${orderLineRows('$1')} ol, ${productRows('$1')} p
  where l.org_id = $1 and l.dispatch_id = $2 and ol.order_id = l.order_id and ol.line_no = l.line_no
    and p.product_code = ol.product_code`);
const keepCustomerName = statement(`
  update dispatches d set customer_name = c.name from ${orderRows('$1')} o, ${partnerRows('$1')} c
  where d.org_id = $1 and d.dispatch_id = $2 and o.order_id = d.order_id and c.code = o.customer_code`);
const inOpenDispatches = statement(`
  select l.line_no as "lineNo", sum(l.quantity)::integer as quantity from dispatch_lines l
  join dispatches d on d.org_id = $1 and d.dispatch_id = l.dispatch_id
  where l.org_id = $1 and l.order_id = $2 and d.status in ('picking', 'rechecking') group by l.line_no`);
const openOf = statement(`
  select d.dispatch_id as "dispatchId", d.order_id as "orderId" from dispatches d
  where d.org_id = $1 and d.status in ('picking', 'rechecking') and exists (
    select from dispatch_lines l
    join ${orderLineRows('$1')} ol on ol.order_id = l.order_id and ol.line_no = l.line_no
    where l.org_id = $1 and l.dispatch_id = d.dispatch_id and ol.product_code = $2)
  order by d.dispatch_id`);
const samePersonAllowed = statement(
  `select o.same_person_recheck as allowed from ${organizationRows('$1')} o`,
);
const pickedElsewhere = statement(`
  select k.serials from dispatch_picks k
  join dispatches d on d.org_id = $1 and d.dispatch_id = k.dispatch_id
  join dispatch_lines l on l.org_id = $1 and l.dispatch_id = k.dispatch_id and l.line_no = k.line_no
  join ${orderLineRows('$1')} ol on ol.order_id = l.order_id and ol.line_no = l.line_no
  where k.org_id = $1 and d.dispatch_id <> $2 and d.status in ('picking', 'rechecking')
    and ol.product_code = $3 and k.serials && $4::text[] limit 1`);

export async function findDispatch(tx: Tx, dispatchId: string): Promise<Dispatch | null> {
  const [row] = await tx.query<Dispatch>(byId, [tx.orgId, tx.today, dispatchId]);
  return row ?? null;
}

export async function readDispatches(tx: Tx, dispatchIds: readonly string[]): Promise<Dispatch[]> {
  return tx.query<Dispatch>(byIds, [tx.orgId, tx.today, dispatchIds]);
}

export async function insertDispatch(
  tx: Tx,
  dispatchId: string,
  orderId: string,
  lines: readonly { lineNo: number; quantity: number }[],
): Promise<void> {
  tx.send(insert, [tx.orgId, dispatchId, orderId, tx.now, tx.actor]);
  noteSearchable(tx, 'dispatch', [dispatchId]);
  tx.send(insertLines, [
    tx.orgId,
    dispatchId,
    orderId,
    lines.map((l) => l.lineNo),
    lines.map((l) => l.quantity),
  ]);
}

export async function replacePicks(
  tx: Tx,
  dispatchId: string,
  picks: readonly DispatchPick[],
): Promise<void> {
  tx.send(removePicks, [tx.orgId, dispatchId]);
  if (picks.length > 0) tx.send(insertPicks, [tx.orgId, dispatchId, JSON.stringify(picks)]);
}

export function saveDispatch(tx: Tx, d: Dispatch): void {
  tx.send(save, [
    tx.orgId,
    d.dispatchId,
    d.status,
    d.pickedBy,
    d.recheckedBy,
    d.recheckReason,
    d.carrier,
    d.trackingNo,
    d.receivedBy,
    d.cancelReason,
    d.version,
    d.updatedAt,
    d.pickedAt,
    d.recheckedAt,
    d.dispatchedAt,
    d.deliveredAt,
    d.cancelledAt,
    JSON.stringify(d.warnings),
  ]);
}

/** Stores the current names of the customer and products with the dispatch; later renames do not change them. */
export function keepWords(tx: Tx, dispatchId: string): void {
  tx.send(keepLineWords, [tx.orgId, dispatchId]);
  tx.send(keepCustomerName, [tx.orgId, dispatchId]);
}

const dispatchesTo = statement(`
  select d.dispatch_id as "dispatchId" from dispatches d join ${orderRows('$1')} o on o.order_id = d.order_id
  where d.org_id = $1 and d.dispatch_id = any($2) and o.customer_code = $3`);

/** Returns the given dispatches that belong to a customer. */
export async function findDispatchesTo(
  tx: Tx,
  customerCode: string,
  dispatchIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const values = [tx.orgId, dispatchIds, customerCode];
  const rows = await tx.query<{ dispatchId: string }>(dispatchesTo, values);
  return new Set(rows.map((row) => row.dispatchId));
}

/** The quantity of each line of an order in its open dispatches. */
export async function openQuantities(tx: Tx, orderId: string): Promise<Map<number, number>> {
  const rows = await tx.query<{ lineNo: number; quantity: number }>(inOpenDispatches, [tx.orgId, orderId]);
  return new Map(rows.map((row) => [row.lineNo, row.quantity]));
}

/** Dispatches with lines of a product that have not left. */
export async function findOpenDispatches(
  tx: Tx,
  productCode: string,
): Promise<{ dispatchId: string; orderId: string }[]> {
  return tx.query(openOf, [tx.orgId, productCode]);
}

export async function maySamePersonRecheck(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ allowed: boolean }>(samePersonAllowed, [tx.orgId]);
  return row?.allowed ?? false;
}

/** One of these serialized units that another open dispatch has picked; null if there is none. */
export async function findPickedElsewhere(
  tx: Tx,
  dispatchId: string,
  productCode: string,
  serials: readonly string[],
): Promise<string | null> {
  const [row] = await tx.query<{ serials: string[] }>(pickedElsewhere, [
    tx.orgId,
    dispatchId,
    productCode,
    serials,
  ]);
  return row?.serials.find((serial) => serials.includes(serial)) ?? null;
}

export interface DispatchFilter {
  /** Limited to those found by text. */
  matches?: Matches<'dispatch' | 'partner'> | undefined;
  orderId?: string | undefined;
  status?: readonly string[] | undefined;
  customerCode?: string | undefined;
  task?: DispatchTask | undefined;
}

/** Newest first. */
export async function listDispatches(tx: Tx, filter: DispatchFilter, page: ListPage): Promise<Dispatch[]> {
  const list = new Filter('d.org_id = $1', [tx.orgId, tx.today, page.limit]);
  const order = list.page(page, {
    ...{ id: 'd.dispatch_id', direction: 'desc', updatedAt: 'd.updated_at' },
    sorts: { createdAt: 'd.dispatch_id' },
  });
  list.either([
    { 'd.dispatch_id': filter.matches?.dispatch },
    { 'o.customer_code': filter.matches?.partner },
  ]);
  list.and('d.order_id = ?', filter.orderId);
  list.anyOf('d.status', filter.status);
  list.and('o.customer_code = ?', filter.customerCode);
  if (filter.task) list.and(`?::text is not null and ${DISPATCH_TASKS[filter.task]('?')}`, tx.actor);
  return listRows<Dispatch>(tx, page, list, {
    rows: `select ${columns} from ${source} where ${list.where} order by ${order} limit $3`,
    counted: `select $2::date from ${source} where ${list.where} limit $3`,
  });
}
