import { partnerRows } from '../catalogue/index.js';
import { dispatchRows } from '../dispatching/index.js';
import { orderRows } from '../orders/index.js';
import { statement, type Tx } from '../platform/database/index.js';
import { movementRows, movementSerialRows } from '../stock/index.js';
import type { Consignee, RecallExtent, StoppedDispatch } from './recall.js';

/** A row of a query for several recalls, with the recall it belongs to. */
export type Of<T> = T & { recallId: string };

const stopped = statement(`
  select x.recall_id as "recallId", x.dispatch_id as "dispatchId", d.order_id as "orderId", o.order_no as "orderNo",
    o.customer_code as "customerCode", d.status, x.quantity
  from recall_dispatches x join ${dispatchRows('$1')} d on d.dispatch_id = x.dispatch_id
  join ${orderRows('$1')} o on o.order_id = d.order_id
  where x.org_id = $1 and x.recall_id = any($2) and ($3::text is null or o.customer_code = $3) order by x.recall_id, x.dispatch_id`);
// `offset 0` makes the planner look up each serialized unit by its number. It has no statistics of units just recalled, and
// would scan the whole product for each of them.
/** Movements to and from customers, or the one customer `$3`, that count for the recalls `$2`. */
const counted = `
  with named as (select recall_id, product_code, extent, opened_position, closed_position from recalls where org_id = $1 and recall_id = any($2)),
  covered as (
    select n.recall_id, m.movement_id, m.quantity from named n
    join ${movementRows('$1')} m on m.product_code = n.product_code and m.counterparty_type = 'customer'
    where n.extent = 'product'
    union all
    select n.recall_id, m.movement_id, m.quantity from named n
    join recall_batches b on b.org_id = $1 and b.recall_id = n.recall_id
    join ${movementRows('$1')} m on m.product_code = b.product_code and m.batch_no = b.batch_no and m.counterparty_type = 'customer'
    where n.extent = 'batches'
    union all
    select n.recall_id, x.movement_id, count(*)::integer from named n
    join recall_serials s on s.org_id = $1 and s.recall_id = n.recall_id
    cross join lateral (select p.movement_id from ${movementSerialRows('$1')} p
      where p.product_code = s.product_code and p.serial_no = s.serial_no offset 0) x
    where n.extent = 'serials' group by n.recall_id, x.movement_id),
  counted as (
    select n.recall_id, m.movement_id, m.counterparty_code, m.kind, c.quantity, m.batch_no, m.position, m.document_type, m.document_id, m.document_no
    from covered c join named n on n.recall_id = c.recall_id
    join ${movementRows('$1')} m on m.movement_id = c.movement_id
    where m.counterparty_type = 'customer' and ($3::text is null or m.counterparty_code = $3) and (m.kind = 'dispatch' and m.position <= n.opened_position
      or m.kind = 'return' and (n.closed_position is null or m.position <= n.closed_position)))`;
const shippedAndReturned = statement(`${counted}
  select c.recall_id as "recallId", c.counterparty_code as "customerCode",
    coalesce((array_agg(d.customer_name order by c.position desc) filter (where d.customer_name is not null))[1], p.name)
      as "customerName",
    sum(c.quantity) filter (where c.kind = 'dispatch')::bigint as quantity,
    coalesce(sum(c.quantity) filter (where c.kind = 'return'), 0)::bigint as "returnedQuantity",
    array_agg(distinct c.batch_no) filter (where c.kind = 'dispatch') as "batchNos",
    json_agg(json_build_object('type', c.document_type, 'id', c.document_id, 'no', c.document_no) order by c.position)
      filter (where c.kind = 'dispatch') as documents,
    a.acknowledged_at as "acknowledgedAt", a.note,
    (select json_build_object('onHand', w.on_hand, 'used', w.used, 'returned', w.returned, 'destroyed', w.destroyed,
        'notFound', w.not_found, 'note', w.note, 'answeredAt', w.answered_at, 'answeredBy', w.answered_by)
      from recall_answers w where w.org_id = $1 and w.recall_id = c.recall_id and w.customer_code = c.counterparty_code) as answer,
    (select u.reason from recall_unanswered u
      where u.org_id = $1 and u.recall_id = c.recall_id and u.customer_code = c.counterparty_code) as "unansweredReason"
  from counted c
  join ${partnerRows('$1')} p on p.code = c.counterparty_code
  left join ${dispatchRows('$1')} d on c.document_type = 'dispatch' and d.dispatch_id = c.document_id
  left join recall_acknowledgements a on a.org_id = $1 and a.recall_id = c.recall_id and a.customer_code = c.counterparty_code
  group by c.recall_id, c.counterparty_code, p.name, a.acknowledged_at, a.note
  having bool_or(c.kind = 'dispatch') order by 1, 2`);

const shippedSerials = statement(`${counted}
  select c.recall_id || ' ' || c.counterparty_code as key, array_agg(distinct s.serial_no) as serials from counted c
  join recall_serials s on s.org_id = $1 and s.recall_id = c.recall_id
  join ${movementSerialRows('$1')} p on p.movement_id = c.movement_id and p.product_code = s.product_code and p.serial_no = s.serial_no
  where c.kind = 'dispatch' group by c.recall_id, c.counterparty_code`);
const unanswered = statement(`${counted}
  select distinct c.recall_id as "recallId" from counted c
  where c.kind = 'dispatch' and not exists (select from recall_acknowledgements a
    where a.org_id = $1 and a.recall_id = c.recall_id and a.customer_code = c.counterparty_code)`);

/** `customerCode` not null: only those of this customer. */
export async function readStoppedDispatches(
  tx: Tx,
  recallIds: readonly string[],
  customerCode: string | null = null,
): Promise<Of<StoppedDispatch>[]> {
  return tx.query(stopped, [tx.orgId, recallIds, customerCode]);
}

/**
 * Reads from the ledger what was shipped before the recall was opened, and what was returned since. `customerCode` not null: of
 * this customer only.
 */
export async function readConsignees(
  tx: Tx,
  recalls: readonly { recallId: string; extent: RecallExtent }[],
  customerCode: string | null = null,
): Promise<Of<Consignee>[]> {
  const ids = recalls.map(({ recallId }) => recallId);
  const rows = await tx.query<Of<Omit<Consignee, 'serials'>>>(shippedAndReturned, [
    tx.orgId,
    ids,
    customerCode,
  ]);
  const bySerial = recalls.filter(({ extent }) => extent === 'serials').map(({ recallId }) => recallId);
  const serials = await readShippedSerials(tx, bySerial, customerCode);
  return rows.map((row) => ({
    ...row,
    serials: serials.get(`${row.recallId} ${row.customerCode}`) ?? [],
    answer: row.answer && { ...row.answer, answeredAt: new Date(row.answer.answeredAt) },
    // Deduplicated: a document has one movement per line and batch.
    documents: [...new Map(row.documents.map((document) => [document.id, document])).values()],
  }));
}

/** The serialized units that recalls name and that were shipped to customers (or to one), by recall and customer. */
async function readShippedSerials(
  tx: Tx,
  recallIds: readonly string[],
  customerCode: string | null,
): Promise<Map<string, string[]>> {
  if (recallIds.length === 0) return new Map();
  const rows = await tx.query<{ key: string; serials: string[] }>(shippedSerials, [
    tx.orgId,
    recallIds,
    customerCode,
  ]);
  return new Map(rows.map(({ key, serials }) => [key, serials]));
}

/** The recalls among these with a consignee that has not acknowledged yet. */
export async function findUnanswered(tx: Tx, recallIds: readonly string[]): Promise<Set<string>> {
  if (recallIds.length === 0) return new Set();
  const rows = await tx.query<{ recallId: string }>(unanswered, [tx.orgId, recallIds, null]);
  return new Set(rows.map(({ recallId }) => recallId));
}
