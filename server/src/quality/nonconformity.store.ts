import { type Matches, pairChoice } from '../indexing/index.js';
import { Filter, type ListPage, listRows, statement, type Tx } from '../platform/database/index.js';
import { holdRows } from '../stock/index.js';
import type { Nonconformity, NonconformityRecord, NonconformityStatus } from './nonconformity.js';
import { TO_DECIDE } from './quality-overview.store.js';

const columns = `n.nc_id as "ncId",
  json_build_object('kind', n.source_kind, 'id', n.source_id, 'no', n.source_no, 'line', n.source_line) as source,
  n.product_code as "productCode", n.product_name as "productName", n.batch_no as "batchNo", n.expiry_date as "expiryDate", n.serials,
  n.quantity, n.warehouse, n.supplier_code as "supplierCode", n.customer_code as "customerCode", n.in_stock as "inStock", n.reason,
  n.status, n.proposed_quantity as "proposedQuantity", n.approved_quantity as "approvedQuantity",
  n.executed_quantity as "executedQuantity", n.released_quantity as "releasedQuantity", n.adjusted_quantity as "adjustedQuantity",
  n.created_at as "createdAt", n.created_by as "createdBy", n.closed_at as "closedAt",
  n.updated_at as "updatedAt", n.version`;
const links = `coalesce((select array_agg(h.hold_id order by h.hold_id) from ${holdRows('$1')} h
    where h.nc_id = n.nc_id and h.released_at is null), '{}') as "holdIds",
  coalesce((select array_agg(distinct l.disposition_id) from disposition_lines l
    where l.org_id = $1 and l.nc_id = n.nc_id), '{}') as "dispositionIds"`;
const byId = statement(
  `select ${columns}, ${links} from nonconformities n where n.org_id = $1 and n.nc_id = $2`,
);
const lockMany = statement(`
  select n.nc_id as "ncId" from nonconformities n where n.org_id = $1 and n.nc_id = any($2) order by n.nc_id for update`);
const many = statement(`select ${columns} from nonconformities n where n.org_id = $1 and n.nc_id = any($2)`);
const insert = statement(`
  insert into nonconformities (org_id, nc_id, source_kind, source_id, source_no, source_line, product_code, product_name, batch_no,
    expiry_date, serials, quantity, warehouse, supplier_code, customer_code, in_stock, reason, created_at, created_by, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $18)`);
const change = statement(`
  update nonconformities n set proposed_quantity = n.proposed_quantity + $3, approved_quantity = n.approved_quantity + $4,
    executed_quantity = n.executed_quantity + $5, released_quantity = n.released_quantity + $6,
    adjusted_quantity = n.adjusted_quantity + $7, version = n.version + 1, updated_at = $8,
    closed_at = case when n.executed_quantity + n.released_quantity + n.adjusted_quantity + $5 + $6 + $7 = n.quantity then $8::timestamptz end
  where n.org_id = $1 and n.nc_id = $2`);

export type NewNonconformity = Pick<
  Nonconformity,
  | 'ncId'
  | 'source'
  | 'productCode'
  | 'productName'
  | 'batchNo'
  | 'expiryDate'
  | 'serials'
  | 'quantity'
  | 'warehouse'
  | 'supplierCode'
  | 'customerCode'
  | 'inStock'
  | 'reason'
>;

export function saveNewNonconformity(tx: Tx, entry: NewNonconformity): void {
  const { source } = entry;
  tx.send(insert, [
    tx.orgId,
    entry.ncId,
    source.kind,
    source.id,
    source.no,
    source.line,
    entry.productCode,
    entry.productName,
    entry.batchNo,
    entry.expiryDate,
    entry.serials,
    entry.quantity,
    entry.warehouse,
    entry.supplierCode,
    entry.customerCode,
    entry.inStock,
    entry.reason,
    tx.now,
    tx.actor,
  ]);
}

export async function findNonconformity(tx: Tx, ncId: string): Promise<NonconformityRecord | null> {
  const [row] = await tx.query<NonconformityRecord>(byId, [tx.orgId, ncId]);
  return row ?? null;
}

/**
 * Locks in the order of their ids, then reads: a statement that waited for a lock would read the state from before the wait.
 */
export async function lockNonconformities(
  tx: Tx,
  ncIds: readonly string[],
): Promise<Map<string, Nonconformity>> {
  if (ncIds.length === 0) return new Map();
  tx.send(lockMany, [tx.orgId, ncIds]);
  const rows = await tx.query<Nonconformity>(many, [tx.orgId, ncIds]);
  return new Map(rows.map((row) => [row.ncId, row]));
}

/** Units that move from one state to another; negative where they leave. */
export interface Shift {
  proposed?: number;
  approved?: number;
  executed?: number;
  released?: number;
  adjusted?: number;
}

export function shiftNonconformity(tx: Tx, ncId: string, shift: Shift): void {
  const { proposed = 0, approved = 0, executed = 0, released = 0, adjusted = 0 } = shift;
  tx.send(change, [tx.orgId, ncId, proposed, approved, executed, released, adjusted, tx.now]);
}

export interface NonconformityFilter {
  /** Limited to those found by text. */
  matches?: Matches<'product' | 'batch' | 'receipt' | 'partner'> | undefined;
  status?: readonly NonconformityStatus[] | undefined;
  source?: readonly string[] | undefined;
  productCode?: string | undefined;
  batchNo?: string | undefined;
  warehouse?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  task?: 'nonconformities_to_decide' | undefined;
}

/** Newest first. */
export async function listNonconformities(
  tx: Tx,
  filter: NonconformityFilter,
  page: ListPage,
): Promise<NonconformityRecord[]> {
  const list = new Filter('n.org_id = $1', [tx.orgId, page.limit]);
  const order = list.page(page, { id: 'n.nc_id', direction: 'desc', updatedAt: 'n.updated_at' });
  const { matches } = filter;
  list.either([
    { 'n.nc_id': matches && [matches.text] },
    { 'n.product_code': matches?.product },
    pairChoice(matches?.batch, 'n.product_code', 'n.batch_no'),
    // Both kinds come from receipts; they are named so that the index is used.
    { 'n.source_kind': ['receipt', 'return'], 'n.source_id': matches?.receipt },
    { 'n.supplier_code': matches?.partner },
    { 'n.customer_code': matches?.partner },
  ]);
  list.anyOf('n.status', filter.status);
  list.anyOf('n.source_kind', filter.source);
  list.and('n.product_code = ?', filter.productCode);
  list.and('n.batch_no = ?', filter.batchNo);
  list.and('n.warehouse = ?', filter.warehouse);
  list.and('n.created_at >= ?', filter.since);
  list.and('n.created_at < ?', filter.until);
  if (filter.task) list.require(TO_DECIDE);
  return listRows<NonconformityRecord>(tx, page, list, {
    rows: `select ${columns}, ${links} from nonconformities n where ${list.where} order by ${order} limit $2`,
    counted: `select from nonconformities n where ${list.where} limit $2`,
  });
}
