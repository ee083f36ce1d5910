import { productRows } from '../catalogue/index.js';
import {
  Filter,
  type ListPage,
  listRows,
  organizationRow,
  statement,
  type Tx,
} from '../platform/database/index.js';
import { balanceRows, batchRows, movementRows, movementSerialRows, serialRows } from '../stock/index.js';
import type { Recall, RecallStatus } from './recall.js';

const columns = `r.recall_id as "recallId", r.recall_no as "recallNo", r.product_code as "productCode", p.product_name as "productName",
  r.extent, r.class, r.reason, r.status, r.opened_at as "openedAt", r.opened_by as "openedBy", r.closed_at as "closedAt",
  r.closed_by as "closedBy", r.close_reason as "closeReason", r.version, r.last_event_at as "lastEventAt",
  coalesce((select array_agg(b.batch_no order by b.batch_no) from recall_batches b
    where b.org_id = $1 and b.recall_id = r.recall_id), '{}') as "batchNos",
  coalesce((select array_agg(s.serial_no order by s.serial_no) from recall_serials s
    where s.org_id = $1 and s.recall_id = r.recall_id), '{}') as serials`;
const source = `recalls r join ${productRows('$1')} p on p.product_code = r.product_code`;
const byId = statement(`select ${columns} from ${source} where r.org_id = $1 and r.recall_id = $2`);
const lock = statement(
  'select recall_id as "recallId" from recalls where org_id = $1 and recall_id = $2 for update',
);
// The product is locked, so its ledger cannot grow meanwhile.
const insert = statement(`
  insert into recalls (org_id, recall_id, recall_no, product_code, extent, class, reason, status, opened_at, opened_by, version, opened_position,
    last_event_at)
  select p.org_id, $2, $3, $4, $5, $6, $7, 'open', $8, $9, 1, p.movements_made, $8 from ${productRows('$1')} p where p.product_code = $4
  on conflict (org_id, recall_no) do nothing returning recall_id as "recallId"`);
const insertBatches = statement(`
  insert into recall_batches (org_id, recall_id, product_code, batch_no)
  select g.org_id, $2, $3, b.batch_no from ${organizationRow('g')}, unnest($4::text[]) as b(batch_no) returning 1`);
const insertSerials = statement(`
  insert into recall_serials (org_id, recall_id, product_code, serial_no)
  select g.org_id, $2, $3, s.serial_no from ${organizationRow('g')}, unnest($4::text[]) as s(serial_no) returning 1`);
const insertDispatches = statement(`
  insert into recall_dispatches (org_id, recall_id, dispatch_id, quantity)
  select g.org_id, $2, d.dispatch_id, d.quantity from ${organizationRow('g')}, unnest($3::text[], $4::integer[]) as d(dispatch_id, quantity) returning 1`);
const close = statement(`
  update recalls r set status = 'closed', closed_at = $3, closed_by = $4, close_reason = $5, version = r.version + 1,
    closed_position = p.movements_made, last_event_at = greatest(r.last_event_at, $3)
  from ${productRows('$1')} p where r.org_id = $1 and r.recall_id = $2 and p.product_code = r.product_code`);
const touch = statement(`
  update recalls set version = version + 1, last_event_at = greatest(last_event_at, $3) where org_id = $1 and recall_id = $2`);
const acknowledge = statement(`
  insert into recall_acknowledgements (org_id, recall_id, customer_code, acknowledged_at, recorded_at, recorded_by, note)
  values ($1, $2, $3, $4, $5, $6, $7)`);
const knownBatches = statement(`
  select t.batch_no as "no" from ${batchRows('$1')} t where t.product_code = $2 and t.batch_no = any($3)`);
const stockedBatches = statement(`
  select distinct b.batch_no as "batchNo" from ${balanceRows('$1')} b where b.product_code = $2 and b.quantity > 0 order by 1`);
const knownSerials = statement(`
  select s.serial_no as "serialNo", s.batch_no as "batchNo", s.warehouse is not null as "inStock" from ${serialRows('$1')} s
  where s.product_code = $2 and s.serial_no = any($3) order by s.batch_no, s.serial_no`);

export async function findRecall(tx: Tx, recallId: string): Promise<Recall | null> {
  const [row] = await tx.query<Recall>(byId, [tx.orgId, recallId]);
  return row ?? null;
}

/** Locks and reads in two statements: a single one that waited for the lock would read the state from before the wait. */
export async function lockRecall(tx: Tx, recallId: string): Promise<Recall | null> {
  tx.send(lock, [tx.orgId, recallId]);
  return findRecall(tx, recallId);
}

export type NewRecall = Pick<
  Recall,
  'recallId' | 'recallNo' | 'productCode' | 'extent' | 'class' | 'reason' | 'batchNos' | 'serials'
>;

/** Returns false if the number is taken. */
export async function saveNewRecall(tx: Tx, recall: NewRecall): Promise<boolean> {
  const { recallId, recallNo, productCode, extent, reason, batchNos, serials } = recall;
  const values = [tx.orgId, recallId, recallNo, productCode, extent, recall.class, reason, tx.now, tx.actor];
  if ((await tx.query(insert, values)).length === 0) return false;
  if (batchNos.length > 0) tx.send(insertBatches, [tx.orgId, recallId, productCode, batchNos]);
  if (serials.length > 0) tx.send(insertSerials, [tx.orgId, recallId, productCode, serials]);
  return true;
}

export async function saveStoppedDispatches(
  tx: Tx,
  recallId: string,
  stopped: readonly { dispatchId: string; quantity: number }[],
): Promise<void> {
  if (stopped.length === 0) return;
  const ids = stopped.map((each) => each.dispatchId);
  const quantities = stopped.map((each) => each.quantity);
  tx.send(insertDispatches, [tx.orgId, recallId, ids, quantities]);
}

/** The product is locked. */
export async function markRecallClosed(tx: Tx, recallId: string, reason: string): Promise<void> {
  tx.send(close, [tx.orgId, recallId, tx.now, tx.actor, reason]);
}

/**
 * The recall is locked. Its next event is dated no earlier than its last one, even if this transaction began before that.
 */
export async function raiseVersion(tx: Tx, recallId: string): Promise<void> {
  tx.send(touch, [tx.orgId, recallId, tx.now]);
}

export async function saveAcknowledgement(
  tx: Tx,
  recallId: string,
  given: { customerCode: string; acknowledgedAt: Date; note: string | null },
): Promise<void> {
  const { customerCode, acknowledgedAt, note } = given;
  tx.send(acknowledge, [tx.orgId, recallId, customerCode, acknowledgedAt, tx.now, tx.actor, note]);
}

export async function readKnownBatches(
  tx: Tx,
  productCode: string,
  batchNos: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ no: string }>(knownBatches, [tx.orgId, productCode, batchNos]);
  return new Set(rows.map((row) => row.no));
}

export async function readStockedBatches(tx: Tx, productCode: string): Promise<string[]> {
  const rows = await tx.query<{ batchNo: string }>(stockedBatches, [tx.orgId, productCode]);
  return rows.map((row) => row.batchNo);
}

export interface KnownSerial {
  serialNo: string;
  batchNo: string;
  inStock: boolean;
}

export async function readKnownSerials(
  tx: Tx,
  productCode: string,
  serials: readonly string[],
): Promise<KnownSerial[]> {
  return tx.query<KnownSerial>(knownSerials, [tx.orgId, productCode, serials]);
}

const idsByText = statement(`
  select recall_id as "recallId" from recalls where org_id = $1 and strpos(lower(recall_no), lower($2)) > 0
  order by recall_id desc limit $3`);

/** The newest recalls with the text in their number. */
export async function findRecallIds(tx: Tx, text: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ recallId: string }>(idsByText, [tx.orgId, text.trim(), limit]);
  return rows.map(({ recallId }) => recallId);
}

const nosOf = statement(
  'select recall_id as "recallId", recall_no as "recallNo" from recalls where org_id = $1 and recall_id = any($2)',
);

/** The numbers of recalls by their ids. */
export async function readRecallNos(tx: Tx, recallIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ recallId: string; recallNo: string }>(nosOf, [tx.orgId, recallIds]);
  return new Map(rows.map(({ recallId, recallNo }) => [recallId, recallNo]));
}

export interface RecallFilter {
  q?: string | undefined;
  recallNo?: string | undefined;
  productCode?: string | undefined;
  status?: readonly RecallStatus[] | undefined;
  /** Only recalls of which this customer got goods. */
  shippedTo?: string | undefined;
  recallIds?: readonly string[] | undefined;
}

/** Goods of the recall `r` were shipped to the customer `?` before it was opened. */
const wasShipped = `exists (select from ${movementRows('$1')} m
  where m.product_code = r.product_code and m.counterparty_type = 'customer' and m.counterparty_code = ?
    and m.kind = 'dispatch' and m.position <= r.opened_position and case r.extent
      when 'batches' then exists (select from recall_batches b
        where b.org_id = $1 and b.recall_id = r.recall_id and b.batch_no = m.batch_no)
      when 'serials' then exists (select from recall_serials s
        join ${movementSerialRows('$1')} p on p.product_code = s.product_code and p.serial_no = s.serial_no
        where s.org_id = $1 and s.recall_id = r.recall_id and p.movement_id = m.movement_id)
      else true end)`;

/** Newest first. */
export async function listRecalls(tx: Tx, filter: RecallFilter, page: ListPage): Promise<Recall[]> {
  const list = new Filter('r.org_id = $1', [tx.orgId, page.limit]);
  const order = list.page(page, {
    ...{ id: 'r.recall_id', direction: 'desc', updatedAt: 'r.last_event_at' },
    sorts: { openedAt: 'r.recall_id' },
  });
  // An organization has few recalls, so the text is compared with each.
  list.and(
    `strpos(lower(concat_ws(' ', r.recall_no, r.product_code, p.product_name)), lower(?)) > 0`,
    filter.q,
  );
  list.and('r.recall_no = ?', filter.recallNo);
  list.and('r.product_code = ?', filter.productCode);
  list.anyOf('r.status', filter.status);
  list.and(wasShipped, filter.shippedTo);
  list.and('r.recall_id = any(?)', filter.recallIds);
  return listRows<Recall>(tx, page, list, {
    rows: `select ${columns} from ${source} where ${list.where} order by ${order} limit $2`,
    counted: `select from ${source} where ${list.where} limit $2`,
  });
}
