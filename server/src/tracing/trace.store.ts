import { deviceIdentifierRows, partnerRows, productRows, warehouseRows } from '../catalogue/index.js';
import {
  certificateCoverageChangeRows,
  certificateRows,
  certificateStatusChangeRows,
  coverageTraits,
} from '../certificates/index.js';
import { dispatchLineRows, dispatchRows } from '../dispatching/index.js';
import { composedStatement, Filter, statement, type Tx } from '../platform/database/index.js';
import { recallBatchRows, recallRows, recallSerialRows } from '../recalls/index.js';
import { receiptLineRows, receiptRows } from '../receiving/index.js';
import { scanRows } from '../scanning/index.js';
import {
  batchRows,
  correctionOf,
  holdRows,
  movementRows,
  movementSerialRows,
  serialRows,
} from '../stock/index.js';
import type { RecordedCertificate } from './certificates-then.rules.js';
import type { LedgerRow, Subject, TracedProduct, TracedRecall } from './trace.js';

// A known device identifier takes precedence over an equal product code. `offset 0` keeps that lookup in a separate
// subquery: merged into the condition, it would run for every product because of row-level security.
const productOf = statement(`
  select p.product_code as "productCode", p.product_name as "productName", p.specification, p.model, p.manufacturer,
    p.registration_no as "registrationNo", p.risk_class as "riskClass", p.unit, p.tracking, ${coverageTraits('p')} as traits,
    (select u.udi_di from ${deviceIdentifierRows('$1')} u where u.product_code = p.product_code and u.level is null) as "udiDi",
    (select json_build_object('udiDi', k.udi_di, 'level', k.level, 'quantity', k.quantity) from ${deviceIdentifierRows('$1')} k
      where k.udi_di = $2 and k.level is not null) as package
  from (select coalesce((select d.product_code from ${deviceIdentifierRows('$1')} d where d.udi_di = $2), $2) as code
    offset 0) named
  join ${productRows('$1')} p on p.product_code = named.code`);

export async function findProduct(tx: Tx, deviceIdentifier: string): Promise<TracedProduct | null> {
  const [row] = await tx.query<TracedProduct>(productOf, [tx.orgId, deviceIdentifier]);
  return row ?? null;
}

const batchKnown = statement(
  `select 1 as known from ${batchRows('$1')} t where t.product_code = $2 and t.batch_no = $3`,
);
const batchOfSerial = statement(
  `select s.batch_no as "batchNo" from ${serialRows('$1')} s where s.product_code = $2 and s.serial_no = $3`,
);

export async function isBatchKnown(tx: Tx, productCode: string, batchNo: string): Promise<boolean> {
  return (await tx.query(batchKnown, [tx.orgId, productCode, batchNo])).length > 0;
}

/** Null if no unit with this serial number was ever received. */
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
    when 'warehouse' then (select o.name from ${warehouseRows('$1')} o where o.code = m.counterparty_code)
    else coalesce(r.partner_name, d.customer_name,
      (select p.name from ${partnerRows('$1')} p where p.code = m.counterparty_code)) end as "counterpartyName",
  coalesce(rl.product_name, dl.product_name, q.product_name) as "productName",
  case when m.document_type = 'hold'
    then (select h.source from ${holdRows('$1')} h where h.hold_id = m.document_id) end as "holdSource",
  t.expiry_date as "expiryDate", ${correctionOf('m')} as correction, m.occurred_at as "occurredAt", m.recorded_at as "recordedAt", m.actor`;
// Names come from the document's snapshot if the step has a document.
const chainNames = `left join ${receiptRows('$1')} r on m.document_type = 'receipt' and r.receipt_id = m.document_id
  left join ${receiptLineRows('$1')} rl on rl.receipt_id = r.receipt_id and rl.line_no = m.document_line
  left join ${dispatchRows('$1')} d on m.document_type = 'dispatch' and d.dispatch_id = m.document_id
  left join ${dispatchLineRows('$1')} dl on dl.dispatch_id = d.dispatch_id and dl.line_no = m.document_line
  join ${productRows('$1')} q on q.product_code = m.product_code
  join ${warehouseRows('$1')} w on w.code = m.warehouse
  join ${batchRows('$1')} t on t.product_code = m.product_code and t.batch_no = m.batch_no`;

/** Movements of the subject, oldest first, at ledger positions after `after` and up to `to`. */
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
      ? rows(MOVEMENTS, own.where)
      : `(${rows(UNIT_MOVEMENTS, own.where)} union all
          ${rows(MOVEMENTS, `${any} and m.kind = 'correction' and m.batch_no = $${own.values.push(batchNo)}`)}
          order by position limit $3)`;
  // Names are looked up only for the rows of the page.
  return tx.query<LedgerRow>(
    composedStatement(`select ${chainColumns} from ${page} m ${chainNames} order by m.position`),
    own.values,
  );
}

const MOVEMENTS = `${movementRows('$1')} m`;
/** Movements that name the unit. A correction of its batch concerns it too, and is read separately. */
const UNIT_MOVEMENTS = `${movementSerialRows('$1')} s join ${MOVEMENTS} on m.movement_id = s.movement_id
  and s.product_code = $2`;

/** Suppliers from whom goods of the subject were received. */
export async function readSuppliers(tx: Tx, { productCode, batchNo, until }: Subject): Promise<string[]> {
  const received = new Filter("m.org_id = $1 and m.product_code = $2 and m.counterparty_type = 'supplier'", [
    tx.orgId,
    productCode,
  ]);
  received.and('m.batch_no = ?', batchNo).and('m.recorded_at <= ?', until);
  const rows = await tx.query<{ code: string }>(
    composedStatement(
      `select distinct m.counterparty_code as code from ${MOVEMENTS} where ${received.where}`,
    ),
    received.values,
  );
  return rows.map((row) => row.code);
}

const certificatesOf = statement(`
  select c.certificate_id as "certificateId", c.certificate_no as "certificateNo", c.type, c.subject_type as "subjectType",
    c.subject_code as "subjectCode", c.issuer, c.valid_from as "validFrom", c.valid_to as "validTo", c.state,
    c.superseded_from as "supersededFrom", c.coverage,
    coalesce((select jsonb_agg(jsonb_build_object('at', h.changed_at, 'from', h.previous_state) order by h.version)
      from ${certificateStatusChangeRows('$1')} h where h.certificate_id = c.certificate_id), '[]') as changes,
    coalesce((select jsonb_agg(jsonb_build_object('at', h.changed_at, 'from', h.previous_coverage) order by h.version)
      from ${certificateCoverageChangeRows('$1')} h where h.certificate_id = c.certificate_id and h.changed_at > $4), '[]')
      as "coverageChanges"
  from unnest($2::text[], $3::text[]) as s(subject_type, subject_code)
  join ${certificateRows('$1')} c on c.subject_type = s.subject_type and c.subject_code = s.subject_code
  order by c.certificate_id`);

/** Only changes of the coverage after `since`: earlier ones do not affect anything that happened later. */
export async function readCertificates(
  tx: Tx,
  subjects: readonly { type: string; code: string }[],
  since: Date,
): Promise<RecordedCertificate[]> {
  const rows = await tx.query<RecordedCertificate>(certificatesOf, [
    tx.orgId,
    subjects.map((subject) => subject.type),
    subjects.map((subject) => subject.code),
    since,
  ]);
  // Instants inside JSON arrive as text.
  return rows.map((row) => ({
    ...row,
    changes: row.changes.map(({ at, from }) => ({ at: new Date(at), from })),
    coverageChanges: row.coverageChanges.map(({ at, from }) => ({ at: new Date(at), from })),
  }));
}

const packagesOf = statement(`
  select s.document_id as "receiptId", s.line_no as line, s.code, s.batch_no as "batchNo", s.quantity from ${scanRows('$1')} s
  where s.document_id = any($3) and s.purpose = 'receipt' and s.product_code = $2 and s.quantity > 1
  order by s.scan_id limit $4`);

export interface PackageScan {
  receiptId: string;
  line: number;
  code: string;
  batchNo: string;
  quantity: number;
}

/** Package codes scanned at these receipts. */
export async function readPackageScans(
  tx: Tx,
  productCode: string,
  receiptIds: readonly string[],
  limit: number,
): Promise<PackageScan[]> {
  if (receiptIds.length === 0) return [];
  return tx.query<PackageScan>(packagesOf, [tx.orgId, productCode, receiptIds, limit]);
}

// Parameters: $3 batch, $4 serial number (each null to match any), $5 until.
const recallsOf = statement(`
  select r.recall_id as "recallId", r.recall_no as "recallNo", r.class, r.reason, r.opened_at as "openedAt",
    case when r.closed_at is null or r.closed_at > $5 then 'open' else 'closed' end as status,
    (r.extent = 'product' or named.batch or named.serial) as covers
  from ${recallRows('$1')} r cross join lateral (
    select exists (select from ${recallBatchRows('$1')} b where b.recall_id = r.recall_id and b.batch_no = $3) as batch,
      exists (select from ${recallSerialRows('$1')} s where s.recall_id = r.recall_id and s.serial_no = $4) as serial,
      $4::text is null and exists (
        select from ${recallSerialRows('$1')} s
        join ${serialRows('$1')} n on n.product_code = s.product_code and n.serial_no = s.serial_no
        where s.recall_id = r.recall_id and n.batch_no = $3) as units) named
  where r.product_code = $2 and r.opened_at <= $5
    and ($3::text is null or r.extent = 'product' or named.batch or named.serial or named.units)
  order by r.recall_id`);

export async function readRecalls(tx: Tx, subject: Subject): Promise<TracedRecall[]> {
  const { productCode, batchNo, serialNo, until } = subject;
  return tx.query<TracedRecall>(recallsOf, [tx.orgId, productCode, batchNo, serialNo, until ?? 'infinity']);
}
