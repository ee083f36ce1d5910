import { partnerRows, productRows, takeWords, wordColumns, wordPairs } from '../catalogue/index.js';
import { type Matches, noteSearchable } from '../indexing/index.js';
import { Filter, type ListPage, listRows, statement, type Tx } from '../platform/database/index.js';
import { batchRows } from '../stock/index.js';
import type { Receipt, ReceiptContent, ReceiptLine } from './receipt.js';

const columns = `r.receipt_id as "receiptId", r.receipt_no as "receiptNo", r.kind, r.supplier_code as "supplierCode",
  r.customer_code as "customerCode", case when r.supplier_code is not null then coalesce(r.partner_name, c.name) end as "supplierName",
  case when r.customer_code is not null then coalesce(r.partner_name, c.name) end as "customerName", r.warehouse, r.status, r.remark, r.version, r.created_at as "createdAt",
  r.created_by as "createdBy", r.updated_at as "updatedAt", r.accepted_at as "acceptedAt", r.accepted_by as "acceptedBy",
  r.warnings, r.purchase_order_no as "purchaseOrderNo", r.arrived_at as "arrivedAt",
  r.transport_temperature as "transportTemperature", r.sampled, r.cancelled_at as "cancelledAt",
  r.cancelled_by as "cancelledBy", r.cancel_reason as "cancelReason",
  case when r.unmatched_reason is not null
    then json_build_object('reason', r.unmatched_reason, 'allowedBy', r.unmatched_by) end as unmatched,
  (select json_agg(json_build_object('lineNo', l.line_no, 'productCode', l.product_code, ${wordPairs('l', 'p')},
      'batchNo', l.batch_no, 'quantity', l.quantity,
      'manufactureDate', case when l.manufacture_from_batch and r.status = 'pending_acceptance'
        then t.manufacture_date else l.manufacture_date end,
      'expiryDate', case when l.expiry_from_batch and r.status = 'pending_acceptance' then t.expiry_date else l.expiry_date end,
      'manufactureFromBatch', l.manufacture_from_batch, 'expiryFromBatch', l.expiry_from_batch,
      'serials', l.serials, 'udis', l.udis, 'udiDi', l.udi_di, 'packages', l.packages, 'dispatchId', l.dispatch_id,
      'acceptedQuantity', l.accepted_quantity, 'rejectedQuantity', l.rejected_quantity,
      'rejectReason', l.reject_reason, 'deviationReason', l.deviation_reason, 'acceptedSerials', l.accepted_serials) order by l.line_no)
    from receipt_lines l join ${productRows('$1')} p on p.product_code = l.product_code
    left join ${batchRows('$1')} t on t.product_code = l.product_code and t.batch_no = l.batch_no
    where l.org_id = $1 and l.receipt_id = r.receipt_id) as lines`;
const source = `receipts r join ${partnerRows('$1')} c on c.code = coalesce(r.supplier_code, r.customer_code)`;
const byId = statement(`select ${columns} from ${source} where r.org_id = $1 and r.receipt_id = $2`);
const lock = statement(
  'select receipt_id as "receiptId" from receipts where org_id = $1 and receipt_id = $2 for update',
);
const lockByNo = statement(
  'select receipt_id as "receiptId" from receipts where org_id = $1 and receipt_no = $2 for update',
);
const insert = statement(`
  insert into receipts (org_id, receipt_id, receipt_no, kind, supplier_code, customer_code, warehouse, status, remark, version,
    created_at, created_by, updated_at, purchase_order_no, arrived_at, transport_temperature, sampled, unmatched_reason, unmatched_by,
    partner_name)
  select p.org_id, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, 'pending_acceptance', $8::text, 1, $9::timestamptz,
    $10::text, $9::timestamptz, $11::text, $12::timestamptz, $13::double precision, $14::boolean, $15::text, $16::text, p.name
  from ${partnerRows('$1')} p where p.code = coalesce($5::text, $6::text)
  on conflict (org_id, receipt_no) do nothing returning 1`);
const insertLines = statement(`
  insert into receipt_lines (org_id, receipt_id, line_no, product_code, batch_no, manufacture_date, expiry_date, quantity, serials,
    udis, udi_di, packages, dispatch_id, manufacture_from_batch, expiry_from_batch, ${wordColumns()})
  select p.org_id, $2, l."lineNo", p.product_code, l."batchNo", l."manufactureDate", l."expiryDate", l.quantity, l.serials,
    l.udis, l."udiDi", l.packages, l."dispatchId", l."manufactureFromBatch", l."expiryFromBatch", ${wordColumns('p')}
  from jsonb_to_recordset($3::jsonb) as l("lineNo" integer, "productCode" text, "batchNo" text, "manufactureDate" date,
    "expiryDate" date, quantity integer, serials text[], udis text[], "udiDi" text, packages integer, "dispatchId" text,
    "manufactureFromBatch" boolean, "expiryFromBatch" boolean)
  join ${productRows('$1')} p on p.product_code = l."productCode"
  returning 1`);
const removeLines = statement('delete from receipt_lines where org_id = $1 and receipt_id = $2');
const update = statement(`
  update receipts r set kind = $3, supplier_code = $4, customer_code = $5, warehouse = $6, remark = $7, version = $8,
    updated_at = $9, purchase_order_no = $10, arrived_at = $11, transport_temperature = $12, sampled = $13,
    unmatched_reason = $14, unmatched_by = $15, partner_name = p.name, words_from = 'document'
  from ${partnerRows('$1')} p where r.org_id = $1 and r.receipt_id = $2 and p.code = coalesce($4, $5)`);
// The batch's date under the product's lock: it may have been corrected since the receipt was read.
const ofBatch = (date: string) => `(select t.${date} from ${batchRows('$1')} t
    where t.product_code = l.product_code and t.batch_no = l.batch_no)`;
const judge = statement(`
  update receipt_lines l set accepted_quantity = v."acceptedQuantity", rejected_quantity = v."rejectedQuantity",
    reject_reason = v."rejectReason", deviation_reason = v."deviationReason", accepted_serials = v."acceptedSerials",
    expiry_date = case when l.expiry_from_batch then ${ofBatch('expiry_date')} else v."expiryDate" end,
    manufacture_date = case when l.manufacture_from_batch then ${ofBatch('manufacture_date')} else v."manufactureDate" end,
    ${takeWords('p')}, words_from = 'document'
  from jsonb_to_recordset($3::jsonb) as v("lineNo" integer, "acceptedQuantity" integer, "rejectedQuantity" integer,
    "rejectReason" text, "deviationReason" text, "acceptedSerials" text[], "expiryDate" date, "manufactureDate" date), ${productRows('$1')} p
  where l.org_id = $1 and l.receipt_id = $2 and l.line_no = v."lineNo" and p.product_code = l.product_code`);
const finish = statement(`
  update receipts r set status = $3, version = $4, updated_at = $5, accepted_at = $5, accepted_by = $6, warnings = $7,
    partner_name = p.name, words_from = 'document'
  from ${partnerRows('$1')} p where r.org_id = $1 and r.receipt_id = $2 and p.code = coalesce(r.supplier_code, r.customer_code)`);
const cancel = statement(`
  update receipts set status = 'cancelled', version = $3, updated_at = $4, cancelled_at = $4, cancelled_by = $5, cancel_reason = $6
  where org_id = $1 and receipt_id = $2`);

export async function findReceipt(tx: Tx, receiptId: string): Promise<Receipt | null> {
  const [row] = await tx.query<Receipt>(byId, [tx.orgId, receiptId]);
  return row ?? null;
}

/** Locks before it reads: a statement that waited for the lock would return the state from before the wait. */
export async function lockReceipt(tx: Tx, receiptId: string): Promise<Receipt | null> {
  tx.send(lock, [tx.orgId, receiptId]);
  return findReceipt(tx, receiptId);
}

export async function lockReceiptByNo(tx: Tx, receiptNo: string): Promise<Receipt | null> {
  const [found] = await tx.query<{ receiptId: string }>(lockByNo, [tx.orgId, receiptNo]);
  return found ? findReceipt(tx, found.receiptId) : null;
}

/** False if another caller has just created a receipt with this number. */
export async function insertReceipt(
  tx: Tx,
  receiptId: string,
  receiptNo: string,
  content: ReceiptContent,
): Promise<boolean> {
  const { kind, supplierCode, customerCode, warehouse, remark } = content;
  const made = await tx.query(insert, [
    tx.orgId,
    receiptId,
    receiptNo,
    kind,
    supplierCode,
    customerCode,
    warehouse,
    remark,
    tx.now,
    tx.actor,
    ...headerOf(tx, content),
  ]);
  if (made.length === 0) return false;
  noteSearchable(tx, 'receipt', [receiptId]);
  await saveLines(tx, receiptId, content);
  return true;
}

export async function replaceReceipt(tx: Tx, receipt: Receipt, content: ReceiptContent): Promise<void> {
  const { kind, supplierCode, customerCode, warehouse, remark } = content;
  const { receiptId, version } = receipt;
  tx.send(update, [
    tx.orgId,
    receiptId,
    kind,
    supplierCode,
    customerCode,
    warehouse,
    remark,
    version + 1,
    tx.now,
    ...headerOf(tx, content),
  ]);
  noteSearchable(tx, 'receipt', [receiptId]);
  tx.send(removeLines, [tx.orgId, receiptId]);
  await saveLines(tx, receiptId, content);
}

const headerOf = (tx: Tx, content: ReceiptContent) => [
  content.purchaseOrderNo,
  content.arrivedAt,
  content.transportTemperature,
  content.sampled,
  content.unmatchedReason,
  content.unmatchedReason === null ? null : tx.actor,
];

async function saveLines(tx: Tx, receiptId: string, { lines }: ReceiptContent): Promise<void> {
  const rows = lines.map((line) => ({
    ...line,
    manufactureFromBatch: line.manufactureDate === undefined,
    expiryFromBatch: line.expiryDate === undefined,
  }));
  tx.send(insertLines, [tx.orgId, receiptId, JSON.stringify(rows)]);
}

export async function saveCancelled(tx: Tx, receipt: Receipt, reason: string): Promise<void> {
  tx.send(cancel, [tx.orgId, receipt.receiptId, receipt.version + 1, tx.now, tx.actor, reason]);
}

export function finishReceipt(
  tx: Tx,
  receipt: Receipt,
  verdict: { status: string; lines: readonly ReceiptLine[]; warnings: Receipt['warnings'] },
): void {
  const { status, lines, warnings } = verdict;
  tx.send(judge, [tx.orgId, receipt.receiptId, JSON.stringify(lines)]);
  tx.send(finish, [
    tx.orgId,
    receipt.receiptId,
    status,
    receipt.version + 1,
    tx.now,
    tx.actor,
    JSON.stringify(warnings),
  ]);
}

export interface ReceiptFilter {
  /** Limited to those found by text: receipts, or their senders. */
  matches?: Matches<'receipt' | 'partner'> | undefined;
  receiptNo?: string | undefined;
  status?: readonly string[] | undefined;
  kind?: readonly string[] | undefined;
  supplierCode?: string | undefined;
}

/** Newest first. */
export async function listReceipts(tx: Tx, filter: ReceiptFilter, page: ListPage): Promise<Receipt[]> {
  const list = new Filter('r.org_id = $1', [tx.orgId, page.limit]);
  const order = list.page(page, {
    ...{ id: 'r.receipt_id', direction: 'desc', updatedAt: 'r.updated_at' },
    sorts: { createdAt: 'r.receipt_id', receiptNo: 'r.receipt_no' },
  });
  list.either([
    { 'r.receipt_id': filter.matches?.receipt },
    { 'r.supplier_code': filter.matches?.partner },
    { 'r.customer_code': filter.matches?.partner },
  ]);
  list.and('r.receipt_no = ?', filter.receiptNo);
  list.anyOf('r.status', filter.status);
  list.anyOf('r.kind', filter.kind);
  list.and('r.supplier_code = ?', filter.supplierCode);
  return listRows<Receipt>(tx, page, list, {
    rows: `select ${columns} from ${source} where ${list.where} order by ${order} limit $2`,
    counted: `select from receipts r where ${list.where} limit $2`,
  });
}
