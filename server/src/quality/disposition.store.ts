import { type Matches, pairChoice } from '../indexing/index.js';
import {
  bulkRows,
  Filter,
  filteredStatement,
  type ListPage,
  listRows,
  organizationRow,
  statement,
  type Tx,
} from '../platform/database/index.js';
import type { Disposition, DispositionKind, DispositionLine, DispositionStatus } from './disposition.js';
import type { Claim } from './disposition.rules.js';
import { DISPOSITION_TASKS, type DispositionTask } from './quality-overview.store.js';

const columns = `d.disposition_id as "dispositionId", coalesce('DP-' || d.number, d.disposition_id) as "dispositionNo", d.kind, d.status, d.reason, d.supplier_code as "supplierCode",
  d.supplier_name as "supplierName", d.proposed_at as "proposedAt", d.proposed_by as "proposedBy", d.approved_at as "approvedAt",
  d.approved_by as "approvedBy", d.rejected_at as "rejectedAt", d.rejected_by as "rejectedBy", d.reject_reason as "rejectReason",
  d.executed_at as "executedAt", d.executed_by as "executedBy", d.witness, d.carrier, d.tracking_no as "trackingNo",
  d.updated_at as "updatedAt", d.version,
  (select json_agg(json_build_object('lineNo', l.line_no, 'holdId', l.hold_id, 'ncId', l.nc_id, 'productCode', l.product_code,
      'productName', l.product_name, 'batchNo', l.batch_no, 'expiryDate', l.expiry_date, 'warehouse', l.warehouse,
      'quantity', l.quantity, 'serials', l.serials) order by l.line_no)
    from disposition_lines l where l.org_id = $1 and l.disposition_id = d.disposition_id) as lines`;
const byId = statement(`select ${columns} from dispositions d where d.org_id = $1 and d.disposition_id = $2`);
const lock = statement(
  'select disposition_id as "dispositionId" from dispositions where org_id = $1 and disposition_id = $2 for update',
);
const insert = statement(`
  with stored as (
    insert into dispositions (org_id, disposition_id, number, kind, status, reason, supplier_code, supplier_name, proposed_at, proposed_by,
      updated_at)
    select g.org_id, $2, 1 + coalesce((select max(x.number) from dispositions x where x.org_id = $1), 0), $3, 'proposed', $4, $5, $6,
      $7::timestamptz, $8, $7::timestamptz
    from ${organizationRow('g')} on conflict (org_id, number) do nothing returning 1)
  select count(*)::integer as stored from stored`);
const lineColumns = bulkRows({
  line_no: 'integer',
  hold_id: 'text',
  nc_id: 'text',
  product_code: 'text',
  product_name: 'text',
  batch_no: 'text',
  expiry_date: 'date',
  warehouse: 'text',
  quantity: 'integer',
  serials: 'text',
});
// Arrays of arrays must be rectangular, so the serial numbers of each line travel as one JSON text.
const insertLines = statement(`
  insert into disposition_lines (org_id, disposition_id, ${lineColumns.names()})
  select g.org_id, $2, l.line_no, l.hold_id, l.nc_id, l.product_code, l.product_name, l.batch_no, l.expiry_date, l.warehouse,
    l.quantity, array(select jsonb_array_elements_text(l.serials::jsonb))
  from ${organizationRow('g')}, ${lineColumns.from('l', 3)} returning 1`);
const decide = statement(`
  update dispositions set status = $3, approved_at = $4, approved_by = $5, rejected_at = $6, rejected_by = $7, reject_reason = $8,
    executed_at = $9, executed_by = $10, witness = $11, carrier = $12, tracking_no = $13, updated_at = $14, version = version + 1
  where org_id = $1 and disposition_id = $2`);
// Goods that never were in stock leave the register when a disposition is executed; held goods leave their hold.
const claims = statement(`
  select l.hold_id as "holdId", l.nc_id as "ncId", l.warehouse, l.quantity, l.serials
  from disposition_lines l join dispositions d on d.org_id = $1 and d.disposition_id = l.disposition_id
  where l.org_id = $1 and (l.hold_id = any($2) or l.nc_id = any($3))
    and (d.status in ('proposed', 'approved') or d.status = 'executed' and l.hold_id is null)`);
const claimed = statement(`
  select l.hold_id as "holdId" from disposition_lines l join dispositions d on d.org_id = $1 and d.disposition_id = l.disposition_id
  where l.org_id = $1 and l.hold_id = $2 and d.status in ('proposed', 'approved') and d.disposition_id <> $3 limit 1`);

export type NewDisposition = Pick<
  Disposition,
  'dispositionId' | 'kind' | 'reason' | 'supplierCode' | 'supplierName' | 'lines'
>;

/**
 * More attempts than concurrent proposals ever need; without a limit, a row that cannot be stored would be retried forever.
 */
const TRIES_MAX = 50;

export async function saveNewDisposition(tx: Tx, disposition: NewDisposition): Promise<void> {
  const { dispositionId, kind, reason, supplierCode, supplierName, lines } = disposition;
  const values = [tx.orgId, dispositionId, kind, reason, supplierCode, supplierName, tx.now, tx.actor];
  // A concurrent proposal is waited for, and this one then takes the next number.
  const isStored = async () => (await tx.query<{ stored: number }>(insert, values))[0]?.stored === 1;
  let tries = 0;
  while (!(await isStored())) if (++tries === TRIES_MAX) throw new Error('no number for a disposition');
  const rows = lineColumns.values(lines, (line: DispositionLine) => ({
    line_no: line.lineNo,
    hold_id: line.holdId,
    nc_id: line.ncId,
    product_code: line.productCode,
    product_name: line.productName,
    batch_no: line.batchNo,
    expiry_date: line.expiryDate,
    warehouse: line.warehouse,
    quantity: line.quantity,
    serials: JSON.stringify(line.serials),
  }));
  tx.send(insertLines, [tx.orgId, dispositionId, ...rows]);
}

export async function findDisposition(tx: Tx, dispositionId: string): Promise<Disposition | null> {
  const [row] = await tx.query<Disposition>(byId, [tx.orgId, dispositionId]);
  return row ?? null;
}

/** Locks and reads in two statements: a single one that waited for the lock would read the state from before the wait. */
export async function lockDisposition(tx: Tx, dispositionId: string): Promise<Disposition | null> {
  tx.send(lock, [tx.orgId, dispositionId]);
  return findDisposition(tx, dispositionId);
}

export function saveDecision(tx: Tx, disposition: Disposition): void {
  tx.send(decide, [
    tx.orgId,
    disposition.dispositionId,
    disposition.status,
    disposition.approvedAt,
    disposition.approvedBy,
    disposition.rejectedAt,
    disposition.rejectedBy,
    disposition.rejectReason,
    disposition.executedAt,
    disposition.executedBy,
    disposition.witness,
    disposition.carrier,
    disposition.trackingNo,
    disposition.updatedAt,
  ]);
}

export async function readClaims(
  tx: Tx,
  named: { holdIds: readonly string[]; ncIds: readonly string[] },
): Promise<Claim[]> {
  return tx.query<Claim>(claims, [tx.orgId, named.holdIds, named.ncIds]);
}

/** Whether a disposition that is not finished, other than `except`, names the hold. */
export async function isInDisposition(tx: Tx, holdId: string, except = ''): Promise<boolean> {
  return (await tx.query(claimed, [tx.orgId, holdId, except])).length > 0;
}

export interface DispositionFilter {
  /** Limited to those found by text. */
  matches?: Matches<'product' | 'batch' | 'partner'> | undefined;
  status?: readonly DispositionStatus[] | undefined;
  kind?: readonly DispositionKind[] | undefined;
  productCode?: string | undefined;
  batchNo?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  task?: DispositionTask | undefined;
}

/** The number in `DP-12`. */
const numbersIn = (text: string): string[] => {
  const [, digits] = /^dp-?(\d{1,9})$/i.exec(text) ?? [];
  return digits === undefined ? [] : [digits];
};

/** The maximum number of matches for a text in any search. */
const IDS_MAX = 10_000;

/** The newest dispositions of these goods. */
async function idsByGoods(tx: Tx, matches: Matches<'product' | 'batch'>): Promise<string[]> {
  const lines = new Filter('l.org_id = $1', [tx.orgId, IDS_MAX]);
  lines.either([
    { 'l.product_code': matches.product },
    pairChoice(matches.batch, 'l.product_code', 'l.batch_no'),
  ]);
  const text = `select distinct l.disposition_id as id from disposition_lines l where ${lines.where} order by id desc limit $2`;
  return (await tx.query<{ id: string }>(filteredStatement(lines, text), lines.values)).map(({ id }) => id);
}

/** Newest first. */
export async function listDispositions(
  tx: Tx,
  filter: DispositionFilter,
  page: ListPage,
): Promise<Disposition[]> {
  const list = new Filter('d.org_id = $1', [tx.orgId, page.limit]);
  const order = list.page(page, { id: 'd.disposition_id', direction: 'desc', updatedAt: 'd.updated_at' });
  const { matches } = filter;
  list.either([
    { 'd.disposition_id': matches && [matches.text, ...(await idsByGoods(tx, matches))] },
    { 'd.number': matches && numbersIn(matches.text) },
    { 'd.supplier_code': matches?.partner },
  ]);
  list.anyOf('d.status', filter.status);
  list.anyOf('d.kind', filter.kind);
  list.and('d.proposed_at >= ?', filter.since);
  list.and('d.proposed_at < ?', filter.until);
  if (filter.task) list.and(`?::text is not null and ${DISPOSITION_TASKS[filter.task]('?')}`, tx.actor);
  const ofLine = (column: string) => `exists (select from disposition_lines x
    where x.org_id = $1 and x.disposition_id = d.disposition_id and x.${column} = ?)`;
  list.and(ofLine('product_code'), filter.productCode);
  list.and(ofLine('batch_no'), filter.batchNo);
  return listRows<Disposition>(tx, page, list, {
    rows: `select ${columns} from dispositions d where ${list.where} order by ${order} limit $2`,
    counted: `select from dispositions d where ${list.where} limit $2`,
  });
}
