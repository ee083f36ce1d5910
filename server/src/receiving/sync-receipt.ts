import { recordAudit } from '../audit/index.js';
import { readPartnerRoles, unknownProducts, unknownWarehouses } from '../catalogue/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseReference } from '../platform/errors/index.js';
import { canonicalCode } from '../platform/gtin/index.js';
import { newId } from '../platform/ids/index.js';
import { recordScans, type ScanEvidence } from '../scanning/index.js';
import { fillFromScans, type ScannedLine } from './fill-from-scans.js';
import { refuseReceipt } from './receipt.errors.js';
import type { Receipt, ReceiptContent } from './receipt.js';
import { normalizeReceipt, type ReceiptInput, receiptContentOf } from './receipt.rules.js';
import { findReceipt, insertReceipt, lockReceiptByNo, replaceReceipt } from './receipt.store.js';

/** What a caller gives: with codes, their lines need not say what the codes do. */
type ReceiptToSync = Omit<ReceiptInput, 'lines'> & { lines: readonly ScannedLine[] };
export type ReceiptResult = 'created' | 'updated' | 'unchanged';

/** Enters or corrects a receipt by its number while it waits for acceptance. */
export async function syncReceipt(
  tx: Tx,
  receiptNo: string,
  given: ReceiptToSync,
): Promise<{ receipt: Receipt; result: ReceiptResult }> {
  const input = { ...given, lines: await fillFromScans(tx, given.lines) };
  const content = normalizeReceipt(input);
  await requireReferences(tx, content, input);
  const scans = input.lines.flatMap((line) => line.scans);
  let known = await lockReceiptByNo(tx, receiptNo);
  if (!known) {
    const receiptId = newId('rcp', tx.now);
    if (await insertReceipt(tx, receiptId, receiptNo, content)) {
      await recordScans(tx, 'receipt', receiptId, scans);
      await recordAudit(tx, {
        action: 'receipt.create',
        entityType: 'receipt',
        entityId: receiptId,
        after: { receiptNo, ...content },
      });
      return { receipt: await reread(tx, receiptId), result: 'created' };
    }
    known = await lockReceiptByNo(tx, receiptNo);
  }
  if (!known) throw new Error('a receipt was neither made nor found');
  if (JSON.stringify(receiptContentOf(known)) === JSON.stringify(content))
    return { receipt: known, result: 'unchanged' };
  if (known.status !== 'pending_acceptance')
    throw refuseReceipt('receipt_not_editable', null, `the receipt is ${known.status}`);
  await replaceReceipt(tx, known, content);
  const before = new Map(known.lines.map((line) => [line.lineNo, line.udis]));
  const isNew = (scan: ScanEvidence) => !before.get(scan.lineNo ?? 0)?.includes(scan.code);
  await recordScans(tx, 'receipt', known.receiptId, scans.filter(isNew));
  await recordAudit(tx, {
    action: 'receipt.update',
    entityType: 'receipt',
    entityId: known.receiptId,
    before: known,
    after: content,
  });
  return { receipt: await reread(tx, known.receiptId), result: 'updated' };
}

async function requireReferences(tx: Tx, content: ReceiptContent, input: ReceiptInput): Promise<void> {
  const partner = content.kind === 'purchase' ? content.supplierCode : content.customerCode;
  const role = content.kind === 'purchase' ? 'supplier' : 'customer';
  const roles = (await readPartnerRoles(tx, [partner ?? ''])).get(partner ?? '');
  if (!roles?.includes(role)) throw refuseReference(`/${role}Code`, `${role} ${partner}`);
  const [warehouse] = await unknownWarehouses(tx, [content.warehouse]);
  if (warehouse !== undefined) throw refuseReference('/warehouse', `warehouse ${warehouse}`);
  const unknown = await unknownProducts(
    tx,
    content.lines.map((line) => line.productCode),
  );
  const at = input.lines.findIndex((line) => unknown.includes(canonicalCode(line.productCode)));
  if (at !== -1) throw refuseReference(`/lines/${at}/productCode`, `product ${input.lines[at]?.productCode}`);
}

async function reread(tx: Tx, receiptId: string): Promise<Receipt> {
  const receipt = await findReceipt(tx, receiptId);
  if (!receipt) throw new Error('a receipt is gone');
  return receipt;
}
