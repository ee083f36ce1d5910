import { composedStatement, Filter, statement, type Tx } from '../platform/database/index.js';
import { correctionOf } from '../stock/index.js';
import type { RecordedCertificate } from './certificates-then.rules.js';
import type { LedgerRow, Subject, TracedProduct, TracedRecall } from './trace.js';

// A device identifier on record leads to its product before a product code that looks the same does. `offset 0` keeps
// that question apart: as part of the condition, row-level security would have it asked of every product.
const productOf = statement(`
  select p.product_code as "productCode", p.product_name as "productName", p.specification, p.model, p.manufacturer,
    p.registration_no as "registrationNo", p.risk_class as "riskClass", p.unit, p.tracking,
    (select u.udi_di from device_identifiers u where u.org_id = $1 and u.product_code = p.product_code and u.level is null) as "udiDi",
    (select json_build_object('udiDi', k.udi_di, 'level', k.level, 'quantity', k.quantity) from device_identifiers k
      where k.org_id = $1 and k.udi_di = $2 and k.level is not null) as package
  from (select coalesce((select d.product_code from device_identifiers d where d.org_id = $1 and d.udi_di = $2), $2) as code
    offset 0) named
  join products p on p.org_id = $1 and p.product_code = named.code`);

export async function findProduct(tx: Tx, deviceIdentifier: string): Promise<TracedProduct | null> {
  const [row] = await tx.query<TracedProduct>(productOf, [tx.orgId, deviceIdentifier]);
  return row ?? null;
}

const batchKnown = statement(
  'select 1 as known from batches where org_id = $1 and product_code = $2 and batch_no = $3',
);
const batchOfSerial = statement(
  'select batch_no as "batchNo" from serials where org_id = $1 and product_code = $2 and serial_no = $3',
);

export async function isBatchKnown(tx: Tx, productCode: string, batchNo: string): Promise<boolean> {
  return (await tx.query(batchKnown, [tx.orgId, productCode, batchNo])).length > 0;
}

/** The batch of a piece that was ever here; null where it never was. */
export async function findBatchOfSerial(
  tx: Tx,
  productCode: string,
  serialNo: string,
): Promise<string | null> {
  const [row] = await tx.query<{ batchNo: string }>(batchOfSerial, [tx.orgId, productCode, serialNo]);
  return row?.batchNo ?? null;
}

const chainColumns = `m.movement_id as "movementId", m.position, m.kind, m.warehouse, w.name as "warehouseName", m.batch_no as "batchNo",
  m.quantity, m.quantity_delta as "quantityDelta",
  json_build_object('type', m.document_type, 'id', m.document_id, 'no', m.document_no, 'line', m.document_line) as document,
  case when m.counterparty_type is null then null
    else json_build_object('type', m.counterparty_type, 'code', m.counterparty_code) end as counterparty,
  case m.counterparty_type
    when 'warehouse' then (select o.name from warehouses o where o.org_id = $1 and o.code = m.counterparty_code)
    else coalesce(r.partner_name, d.customer_name,
      (select p.name from partners p where p.org_id = $1 and p.code = m.counterparty_code)) end as "counterpartyName",
  coalesce(rl.product_name, dl.product_name, q.product_name) as "productName",
  case when m.document_type = 'hold'
    then (select h.source from holds h where h.org_id = $1 and h.hold_id = m.document_id) end as "holdSource",
  t.expiry_date as "expiryDate", ${correctionOf('m')} as correction, m.occurred_at as "occurredAt", m.recorded_at as "recordedAt", m.actor`;
// In the words of the document where the step has one.
const chainNames = `left join receipts r on m.document_type = 'receipt' and r.org_id = $1 and r.receipt_id = m.document_id
  left join receipt_lines rl on rl.org_id = $1 and rl.receipt_id = r.receipt_id and rl.line_no = m.document_line
  left join dispatches d on m.document_type = 'dispatch' and d.org_id = $1 and d.dispatch_id = m.document_id
  left join dispatch_lines dl on dl.org_id = $1 and dl.dispatch_id = d.dispatch_id and dl.line_no = m.document_line
  join products q on q.org_id = $1 and q.product_code = m.product_code
  join warehouses w on w.org_id = $1 and w.code = m.warehouse
  join batches t on t.org_id = $1 and t.product_code = m.product_code and t.batch_no = m.batch_no`;

/** Of the ledger what concerns the subject, oldest first: rows behind `after`, up to the end `to`. */
export async function readChain(
  tx: Tx,
  subject: Subject,
  { after, to }: { after: number; to: number },
  limit: number,
): Promise<LedgerRow[]> {
  const { productCode, batchNo, serialNo, until } = subject;
  const own = new Filter('m.org_id = $1 and m.product_code = $2', [tx.orgId, productCode, limit]);
  own.and('m.position > ?', after).and('m.position <= ?', to);
  own.and('m.recorded_at <= ?', until);
  const any = own.where;
  own.and(serialNo === null ? 'm.batch_no = ?' : 's.serial_no = ?', serialNo ?? batchNo);
  const rows = (source: string, where: string) =>
    `(select m.* from ${source} where ${where} order by m.position limit $3)`;
  const page =
    serialNo === null
      ? rows('movements m', own.where)
      : `(${rows(UNIT_MOVEMENTS, own.where)} union all
          ${rows('movements m', `${any} and m.kind = 'correction' and m.batch_no = $${own.values.push(batchNo)}`)}
          order by position limit $3)`;
  // Names are looked up only for the rows of the page.
  return tx.query<LedgerRow>(
    composedStatement(`select ${chainColumns} from ${page} m ${chainNames} order by m.position`),
    own.values,
  );
}

/** Movements that name the unit; a correction of its batch concerns it without naming it. */
const UNIT_MOVEMENTS = `movement_serials s join movements m on m.org_id = $1 and m.movement_id = s.movement_id
  and s.org_id = $1 and s.product_code = $2`;

/** Those from whom goods of the subject came. */
export async function readSuppliers(tx: Tx, { productCode, batchNo, until }: Subject): Promise<string[]> {
  const received = new Filter("m.org_id = $1 and m.product_code = $2 and m.counterparty_type = 'supplier'", [
    tx.orgId,
    productCode,
  ]);
  received.and('m.batch_no = ?', batchNo).and('m.recorded_at <= ?', until);
  const rows = await tx.query<{ code: string }>(
    composedStatement(`select distinct m.counterparty_code as code from movements m where ${received.where}`),
    received.values,
  );
  return rows.map((row) => row.code);
}

const certificatesOf = statement(`
  select c.certificate_id as "certificateId", c.certificate_no as "certificateNo", c.type, c.subject_type as "subjectType",
    c.subject_code as "subjectCode", c.issuer, c.valid_from as "validFrom", c.valid_to as "validTo", c.state,
    c.superseded_from as "supersededFrom",
    coalesce((select jsonb_agg(jsonb_build_object('at', h.changed_at, 'from', h.previous_state) order by h.version)
      from certificate_status_changes h where h.org_id = $1 and h.certificate_id = c.certificate_id), '[]') as changes
  from unnest($2::text[], $3::text[]) as s(subject_type, subject_code)
  join certificates c on c.org_id = $1 and c.subject_type = s.subject_type and c.subject_code = s.subject_code
  order by c.certificate_id`);

export async function readCertificates(
  tx: Tx,
  subjects: readonly { type: string; code: string }[],
): Promise<RecordedCertificate[]> {
  const rows = await tx.query<RecordedCertificate>(certificatesOf, [
    tx.orgId,
    subjects.map((subject) => subject.type),
    subjects.map((subject) => subject.code),
  ]);
  // Instants inside JSON arrive as text.
  return rows.map((row) => ({
    ...row,
    changes: row.changes.map(({ at, from }) => ({ at: new Date(at), from })),
  }));
}

const packagesOf = statement(`
  select s.document_id as "receiptId", s.line_no as line, s.code, s.batch_no as "batchNo", s.quantity from scans s
  where s.org_id = $1 and s.document_id = any($3) and s.purpose = 'receipt' and s.product_code = $2 and s.quantity > 1
  order by s.scan_id limit $4`);

export interface PackageScan {
  receiptId: string;
  line: number;
  code: string;
  batchNo: string;
  quantity: number;
}

/** Codes of packages that were read when these receipts came in. */
export async function readPackageScans(
  tx: Tx,
  productCode: string,
  receiptIds: readonly string[],
  limit: number,
): Promise<PackageScan[]> {
  if (receiptIds.length === 0) return [];
  return tx.query<PackageScan>(packagesOf, [tx.orgId, productCode, receiptIds, limit]);
}

// $3 batch, $4 serial, $5 until: what is null is not asked for.
const recallsOf = statement(`
  select r.recall_id as "recallId", r.recall_no as "recallNo", r.class, r.reason, r.opened_at as "openedAt",
    case when r.closed_at is null or r.closed_at > $5 then 'open' else 'closed' end as status,
    (r.extent = 'product' or named.batch or named.serial) as covers
  from recalls r cross join lateral (
    select exists (select from recall_batches b where b.org_id = $1 and b.recall_id = r.recall_id and b.batch_no = $3) as batch,
      exists (select from recall_serials s where s.org_id = $1 and s.recall_id = r.recall_id and s.serial_no = $4) as serial,
      $4::text is null and exists (
        select from recall_serials s
        join serials n on n.org_id = $1 and n.product_code = s.product_code and n.serial_no = s.serial_no
        where s.org_id = $1 and s.recall_id = r.recall_id and n.batch_no = $3) as pieces) named
  where r.org_id = $1 and r.product_code = $2 and r.opened_at <= $5
    and ($3::text is null or r.extent = 'product' or named.batch or named.serial or named.pieces)
  order by r.recall_id`);

export async function readRecalls(tx: Tx, subject: Subject): Promise<TracedRecall[]> {
  const { productCode, batchNo, serialNo, until } = subject;
  return tx.query<TracedRecall>(recallsOf, [tx.orgId, productCode, batchNo, serialNo, until ?? 'infinity']);
}
