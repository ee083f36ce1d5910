import { recordAudit } from '../audit/index.js';
import { readPartnerRoles, unknownProducts, unknownWarehouses } from '../catalogue/index.js';
import { dayIn } from '../platform/calendar/index.js';
import { latestTold } from '../platform/clock/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseReference } from '../platform/errors/index.js';
import { canonicalCode } from '../platform/gtin/index.js';
import { invalid } from '../platform/http/index.js';
import { newId } from '../platform/ids/index.js';
import { recordScans, type ScanEvidence } from '../scanning/index.js';
import { readBooks, requireBatchDates, requireInBooks } from '../stock/index.js';
import { fillFromScans, type ScannedLine } from './fill-from-scans.js';
import { refuseReceipt } from './receipt.errors.js';
import type { Receipt, ReceiptContent } from './receipt.js';
import { normalizeReceipt, type ReceiptInput, receiptContentOf } from './receipt.rules.js';
import {
  findDispatchesTo,
  findReceipt,
  insertReceipt,
  lockReceiptByNo,
  replaceReceipt,
} from './receipt.store.js';

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
  if (content.kind === 'purchase') requireNothingOfReturns(input);
  await requireReferences(tx, content, input);
  await requireDispatches(tx, content, input);
  const day = await dayOfArrival(tx, content);
  input.lines.forEach((line, i) => {
    requireBatchDates(line, day, `/lines/${i}`);
  });
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
  const isSame = JSON.stringify(receiptContentOf(known)) === JSON.stringify(content);
  if (isSame && known.status !== 'cancelled') return { receipt: known, result: 'unchanged' };
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

/** A purchase comes back from nobody. */
function requireNothingOfReturns({ unmatched, lines }: ReceiptInput): void {
  if (unmatched != null) throw invalid('not_allowed', '/unmatched', 'only a return can be unmatched');
  const at = lines.findIndex((line) => line.dispatchId != null);
  if (at !== -1)
    throw invalid('not_allowed', `/lines/${at}/dispatchId`, 'only a return belongs to a dispatch');
}

/** A return names only dispatches that went to its customer. */
async function requireDispatches(tx: Tx, content: ReceiptContent, input: ReceiptInput): Promise<void> {
  const named = content.lines.flatMap(({ dispatchId }) => dispatchId ?? []);
  if (named.length === 0) return;
  const known = await findDispatchesTo(tx, content.customerCode ?? '', named);
  const at = input.lines.findIndex(({ dispatchId }) => dispatchId != null && !known.has(dispatchId));
  if (at !== -1)
    throw refuseReference(
      `/lines/${at}/dispatchId`,
      `dispatch ${input.lines[at]?.dispatchId} to customer ${content.customerCode}`,
    );
}

/** The day on which the goods came, where the organization is. */
async function dayOfArrival(tx: Tx, { arrivedAt }: ReceiptContent): Promise<string> {
  if (arrivedAt === null) return tx.today;
  if (arrivedAt.getTime() > latestTold(tx.now)) throw refuseReceipt('in_the_future', '/arrivedAt');
  await requireInBooks(tx, arrivedAt, '/arrivedAt');
  return dayIn((await readBooks(tx)).timeZone, arrivedAt);
}

async function reread(tx: Tx, receiptId: string): Promise<Receipt> {
  const receipt = await findReceipt(tx, receiptId);
  if (!receipt) throw new Error('a receipt is gone');
  return receipt;
}
