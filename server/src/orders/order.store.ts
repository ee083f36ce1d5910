import { type ProductWords, partnerRows, productRows, wordPairs } from '../catalogue/index.js';
import { type Matches, noteSearchable } from '../indexing/index.js';
import {
  bulkRows,
  Filter,
  type ListPage,
  listRows,
  organizationRow,
  type Statement,
  statement,
  type Tx,
} from '../platform/database/index.js';
import { batchRows, reservationRows } from '../stock/index.js';
import { canonicalAmount } from './money.rules.js';
import type { ContentLine, Order, OrderContent, OrderStatus, StatusChange } from './order.js';
import { ORDER_TASKS, type OrderTask, orderIdNear } from './order-overview.store.js';

// Excludes reservations of expired batches, which remain stored when a batch expires: $2 is today.
const columns = `o.order_id as "orderId", o.order_no as "orderNo", o.customer_code as "customerCode", coalesce(o.customer_name, c.name) as "customerName",
  o.status, o.on_hold as "onHold", o.warehouse, o.requested_date as "requestedDate", o.currency, o.remark,
  o.source_version as "sourceVersion", o.warnings, o.version, o.created_at as "createdAt", o.created_by as "createdBy", o.updated_at as "updatedAt",
  (select json_agg(json_build_object('lineNo', l.line_no, 'productCode', l.product_code, ${wordPairs('l', 'p')},
      'quantity', l.quantity, 'unitPrice', l.unit_price::text, 'batchNo', l.batch_no,
      'minRemainingShelfLifeDays', l.min_remaining_shelf_life_days,
      'reserved', coalesce((select json_agg(json_build_object('batchNo', r.batch_no, 'expiryDate', r.expiry_date, 'quantity', r.quantity)
          order by r.expiry_date nulls last, r.batch_no)
        from (select v.batch_no, t.expiry_date, sum(v.quantity)::integer as quantity from ${reservationRows('$1')} v
              join ${batchRows('$1')} t on t.product_code = v.product_code and t.batch_no = v.batch_no
              where v.order_id = o.order_id and v.line_no = l.line_no
                and (t.expiry_date is null or t.expiry_date >= $2)
              group by v.batch_no, t.expiry_date) r), '[]'),
      'dispatchedQuantity', l.dispatched_quantity, 'deliveredQuantity', l.delivered_quantity,
      'closedQuantity', l.closed_quantity) order by l.line_no)
    from order_lines l join ${productRows('$1')} p on p.product_code = l.product_code
    where l.org_id = $1 and l.order_id = o.order_id) as lines,
  (select json_agg(json_build_object('previousStatus', h.previous_status, 'currentStatus', h.current_status,
      'changedBy', h.changed_by, 'changedAt', to_char(h.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'reason', h.reason) order by h.version, h.step)
    from order_status_changes h where h.org_id = $1 and h.order_id = o.order_id) as "statusHistory"`;
const source = `orders o join ${partnerRows('$1')} c on c.code = o.customer_code`;
const readingBy = (ids: string) =>
  statement(`select ${columns} from ${source} where o.org_id = $1 and o.order_id = any(${ids})`);
const lockingBy = (ids: string) =>
  statement(
    `select order_id as "orderId" from orders where org_id = $1 and order_id = any(${ids}) order by order_id for update`,
  );
const byIds = readingBy('$3');
const lock = lockingBy('$2');
const lockByNo = statement(`
  select o.order_id as "orderId", o.customer_code as "customerCode", o.order_no as "orderNo" from orders o
  join unnest($2::text[], $3::text[]) as k(customer_code, order_no)
    on k.customer_code = o.customer_code and k.order_no = o.order_no
  where o.org_id = $1 order by o.order_id for update of o`);

type Row = Omit<Order, 'statusHistory'> & {
  statusHistory: (Omit<StatusChange, 'changedAt'> & { changedAt: string })[];
};

function toOrder(row: Row): Order {
  return {
    ...row,
    lines: row.lines.map((line) => ({ ...line, unitPrice: canonicalAmount(line.unitPrice) })),
    statusHistory: row.statusHistory.map((change) => ({ ...change, changedAt: new Date(change.changedAt) })),
  };
}

export async function readOrders(tx: Tx, orderIds: readonly string[]): Promise<Map<string, Order>> {
  return readBy(tx, byIds, orderIds);
}

async function readBy(tx: Tx, sql: Statement, value: unknown): Promise<Map<string, Order>> {
  const rows = await tx.query<Row>(sql, [tx.orgId, tx.today, value]);
  return new Map(rows.map((row) => [row.orderId, toOrder(row)]));
}

/** Locks orders in the order of their ids, then reads: a statement that waited would return the state before the wait. */
export async function lockOrders(tx: Tx, orderIds: readonly string[]): Promise<Map<string, Order>> {
  tx.send(lock, [tx.orgId, orderIds]);
  return readOrders(tx, orderIds);
}

/** Locks and reads orders whose ids SQL selects: `idsBy` makes an array of the parameter with the caller's value. */
export function orderLocker(
  idsBy: (parameter: string) => string,
): (tx: Tx, value: unknown) => Promise<Map<string, Order>> {
  const lockThose = lockingBy(idsBy('$2'));
  const readThose = readingBy(idsBy('$3'));
  return (tx, value) => {
    tx.send(lockThose, [tx.orgId, value]);
    return readBy(tx, readThose, value);
  };
}

export interface OrderKey {
  customerCode: string;
  orderNo: string;
}

export const keyText = (key: OrderKey): string => `${key.customerCode}\n${key.orderNo}`;

export async function lockOrdersByNo(tx: Tx, keys: readonly OrderKey[]): Promise<Map<string, Order>> {
  const found = await tx.query<OrderKey & { orderId: string }>(lockByNo, [
    tx.orgId,
    keys.map((key) => key.customerCode),
    keys.map((key) => key.orderNo),
  ]);
  if (found.length === 0) return new Map();
  const orders = await readOrders(
    tx,
    found.map((row) => row.orderId),
  );
  return new Map([...orders.values()].map((order) => [keyText(order), order]));
}

/** The snapshot of customer and product names in an order. */
export interface OrderWords {
  customerName: string;
  ofProduct(productCode: string): ProductWords;
}

export interface NewOrder extends OrderKey {
  orderId: string;
  content: OrderContent;
  words: OrderWords;
  sourceVersion: number | null;
  createdBy: string;
}

const newOrderColumns = bulkRows({
  order_id: 'text',
  order_no: 'text',
  customer_code: 'text',
  warehouse: 'text',
  requested_date: 'date',
  currency: 'text',
  remark: 'text',
  source_version: 'bigint',
  created_by: 'text',
  customer_name: 'text',
});
const lineColumns = bulkRows({
  order_id: 'text',
  line_no: 'integer',
  product_code: 'text',
  quantity: 'integer',
  unit_price: 'numeric',
  batch_no: 'text',
  min_remaining_shelf_life_days: 'integer',
  product_name: 'text',
  specification: 'text',
  model: 'text',
  manufacturer: 'text',
  registration_no: 'text',
  unit: 'text',
});
const insertLines = statement(`
  insert into order_lines (org_id, ${lineColumns.names()})
  select g.org_id, ${lineColumns.names('l')} from ${organizationRow('g')}, ${lineColumns.from('l', 2)}
  returning 1`);
const insertOrders = statement(`
  with made as (
    insert into orders (org_id, status, on_hold, version, created_at, updated_at, ${newOrderColumns.names()})
    select g.org_id, 'pending_approval', false, 1, $2, $2, ${newOrderColumns.names('o')} from ${organizationRow('g')}, ${newOrderColumns.from('o', 3)}
    on conflict (org_id, customer_code, order_no) do nothing
    returning order_id, created_by),
  lines as (
    insert into order_lines (org_id, ${lineColumns.names()})
    select g.org_id, ${lineColumns.names('l')} from ${organizationRow('g')}, ${lineColumns.from('l', 13)}
    where exists (select from made where made.order_id = l.order_id)),
  history as (
    insert into order_status_changes (org_id, order_id, version, step, current_status, changed_by, changed_at)
    select g.org_id, made.order_id, 1, 0, 'pending_approval', made.created_by, $2 from ${organizationRow('g')}, made)
  select order_id as "orderId" from made`);

/** Writes new orders and their lines in one statement; returns the ids of those that did not exist yet. */
export async function insertNewOrders(tx: Tx, orders: readonly NewOrder[]): Promise<Set<string>> {
  const lines = orders.flatMap(({ orderId, content, words }) =>
    content.lines.map((line) => ({ orderId, ...line, ...words.ofProduct(line.productCode) })),
  );
  const rows = await tx.query<{ orderId: string }>(insertOrders, [
    tx.orgId,
    tx.now,
    ...newOrderColumns.values(orders, (o) => ({
      order_id: o.orderId,
      order_no: o.orderNo,
      customer_code: o.customerCode,
      warehouse: o.content.warehouse,
      requested_date: o.content.requestedDate,
      currency: o.content.currency,
      remark: o.content.remark,
      source_version: o.sourceVersion,
      created_by: o.createdBy,
      customer_name: o.words.customerName,
    })),
    ...lineColumns.values(lines, toLineRow),
  ]);
  const made = rows.map((row) => row.orderId);
  noteSearchable(tx, 'order', made);
  return new Set(made);
}

const toLineRow = (line: ContentLine & ProductWords & { orderId: string }) => ({
  order_id: line.orderId,
  line_no: line.lineNo,
  product_code: line.productCode,
  quantity: line.quantity,
  unit_price: line.unitPrice,
  batch_no: line.batchNo,
  min_remaining_shelf_life_days: line.minRemainingShelfLifeDays,
  product_name: line.productName,
  specification: line.specification,
  model: line.model,
  manufacturer: line.manufacturer,
  registration_no: line.registrationNo,
  unit: line.unit,
});

const replaceContent = statement(`
  update orders set warehouse = $3, requested_date = $4, currency = $5, remark = $6, source_version = coalesce($7, source_version),
    version = $8, updated_at = $9, customer_name = $10, words_from = 'document'
  where org_id = $1 and order_id = $2`);
const removeLines = statement('delete from order_lines where org_id = $1 and order_id = $2');
const setSourceVersion = statement(
  'update orders set source_version = $3 where org_id = $1 and order_id = $2',
);

/** Replaces an order's content while it waits for approval. */
export async function replaceOrderContent(
  tx: Tx,
  order: Order,
  content: OrderContent,
  words: OrderWords,
  sourceVersion: number | null,
): Promise<void> {
  const { warehouse, requestedDate, currency, remark, lines } = content;
  tx.send(replaceContent, [
    tx.orgId,
    order.orderId,
    warehouse,
    requestedDate,
    currency,
    remark,
    sourceVersion,
    order.version + 1,
    laterOf(tx.now, order.updatedAt),
    words.customerName,
  ]);
  tx.send(removeLines, [tx.orgId, order.orderId]);
  const { orderId } = order;
  const worded = lines.map((line) => ({ orderId, ...line, ...words.ofProduct(line.productCode) }));
  tx.send(insertLines, [tx.orgId, ...lineColumns.values(worded, toLineRow)]);
}

export async function noteSourceVersion(tx: Tx, orderId: string, sourceVersion: number): Promise<void> {
  tx.send(setSourceVersion, [tx.orgId, orderId, sourceVersion]);
}

/** Instants of one order never run backwards, whichever process wrote them. */
export const laterOf = (a: Date, b: Date): Date => (a > b ? a : b);

export interface OrderMove {
  orderId: string;
  version: number;
  step: number;
  previousStatus: OrderStatus;
  currentStatus: OrderStatus;
  changedBy: string;
  changedAt: Date;
  reason: string | null;
}

const stateColumns = bulkRows({
  order_id: 'text',
  status: 'text',
  on_hold: 'boolean',
  version: 'integer',
  at: 'timestamptz',
});
const moveColumns = bulkRows({
  order_id: 'text',
  version: 'integer',
  step: 'integer',
  previous_status: 'text',
  current_status: 'text',
  changed_by: 'text',
  changed_at: 'timestamptz',
  reason: 'text',
});
const saveStates = statement(`
  with moved as (
    update orders o set status = s.status, on_hold = s.on_hold, version = s.version, updated_at = s.at
    from ${stateColumns.from('s', 2)}
    where o.org_id = $1 and o.order_id = s.order_id returning 1),
  noted as (
    insert into order_status_changes (org_id, ${moveColumns.names()})
    select g.org_id, ${moveColumns.names('h')} from ${organizationRow('g')}, ${moveColumns.from('h', 7)}
    returning 1)
  select count(*) from noted`);

export async function saveOrderStates(
  tx: Tx,
  states: readonly { orderId: string; status: OrderStatus; onHold: boolean; version: number; at: Date }[],
  moves: readonly OrderMove[],
): Promise<void> {
  tx.send(saveStates, [
    tx.orgId,
    ...stateColumns.values(states, (s) => ({
      order_id: s.orderId,
      status: s.status,
      on_hold: s.onHold,
      version: s.version,
      at: s.at,
    })),
    ...moveColumns.values(moves, (m) => ({
      order_id: m.orderId,
      version: m.version,
      step: m.step,
      previous_status: m.previousStatus,
      current_status: m.currentStatus,
      changed_by: m.changedBy,
      changed_at: m.changedAt,
      reason: m.reason,
    })),
  ]);
}

const saveWarnings = statement(`
  update orders o set warnings = w.warnings from unnest($2::text[], $3::jsonb[]) as w(order_id, warnings)
  where o.org_id = $1 and o.order_id = w.order_id`);

/** Separate from the statuses: hardly any order has warnings, but every approval writes its status. */
export async function saveOrderWarnings(
  tx: Tx,
  orders: readonly Pick<Order, 'orderId' | 'warnings'>[],
): Promise<void> {
  tx.send(saveWarnings, [
    tx.orgId,
    orders.map((o) => o.orderId),
    orders.map((o) => JSON.stringify(o.warnings)),
  ]);
}

const closeLines = statement(`
  update order_lines set closed_quantity = quantity - dispatched_quantity where org_id = $1 and order_id = $2`);
const addDispatched = statement(`
  update order_lines l set dispatched_quantity = l.dispatched_quantity + d.quantity
  from unnest($3::integer[], $4::integer[]) as d(line_no, quantity)
  where l.org_id = $1 and l.order_id = $2 and l.line_no = d.line_no`);
const addDelivered = statement(`
  update order_lines l set delivered_quantity = l.delivered_quantity + d.quantity
  from unnest($3::integer[], $4::integer[]) as d(line_no, quantity)
  where l.org_id = $1 and l.order_id = $2 and l.line_no = d.line_no`);

export async function closeOpenLines(tx: Tx, orderId: string): Promise<void> {
  tx.send(closeLines, [tx.orgId, orderId]);
}

type Shipped = readonly { lineNo: number; quantity: number }[];
export async function addDispatchedQuantities(tx: Tx, orderId: string, lines: Shipped): Promise<void> {
  tx.send(addDispatched, [tx.orgId, orderId, lines.map((l) => l.lineNo), lines.map((l) => l.quantity)]);
}
export async function addDeliveredQuantities(tx: Tx, orderId: string, lines: Shipped): Promise<void> {
  tx.send(addDelivered, [tx.orgId, orderId, lines.map((l) => l.lineNo), lines.map((l) => l.quantity)]);
}

export interface OrderFilter {
  /** Limited to those found by text: orders, or their customers. */
  matches?: Matches<'order' | 'partner'> | undefined;
  orderNo?: string | undefined;
  status?: readonly string[] | undefined;
  customerCode?: string | undefined;
  task?: OrderTask | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

export async function listOrders(tx: Tx, filter: OrderFilter, page: ListPage): Promise<Order[]> {
  const list = new Filter('o.org_id = $1', [tx.orgId, tx.today, page.limit]);
  const order = list.page(page, {
    ...{ id: 'o.order_id', direction: 'desc', updatedAt: 'o.updated_at' },
    sorts: { createdAt: 'o.order_id', orderNo: 'o.order_no' },
  });
  list.either([{ 'o.order_id': filter.matches?.order }, { 'o.customer_code': filter.matches?.partner }]);
  list.and('o.order_no = ?', filter.orderNo);
  list.anyOf('o.status', filter.status);
  list.and('o.customer_code = ?', filter.customerCode);
  list.and('o.created_at >= ?', filter.since);
  list.and('o.created_at < ?', filter.until);
  // Ids sort by time, so the list need not be walked from its start to the requested days.
  list.and('o.order_id >= ?', filter.since && orderIdNear(filter.since, -1));
  list.and('o.order_id < ?', filter.until && orderIdNear(filter.until, 1));
  if (filter.task) list.require(ORDER_TASKS[filter.task]);
  const rows = await listRows<Row>(tx, page, list, {
    rows: `select ${columns} from ${source} where ${list.where} order by ${order} limit $3`,
    counted: `select $2::date from orders o where ${list.where} limit $3`,
  });
  return rows.map(toOrder);
}
