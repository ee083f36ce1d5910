import { canonicalCode } from '@lotward/udi';
import { recordAudit } from '../audit/index.js';
import {
  partnerIssues,
  readNamedPartners,
  unknownProduct,
  unknownProducts,
  unknownWarehouse,
  unknownWarehouses,
} from '../catalogue/index.js';
import { findDispatchesTo } from '../dispatching/index.js';
import { maxAcceptedTimestamp } from '../platform/clock/index.js';
import type { Tx } from '../platform/database/index.js';
import { type Issue, unknownReference } from '../platform/errors/index.js';
import { invalid } from '../platform/http/index.js';
import { newId } from '../platform/ids/index.js';
import { businessDay } from '../platform/principal.js';
import { recordScans, type ScanEvidence } from '../scanning/index.js';
import { readBooks, requireBatchDates, requireInBooks } from '../stock/index.js';
import { fillFromScans, type ScannedLine } from './fill-from-scans.js';
import { refuseReceipt } from './receipt.errors.js';
import type { Receipt, ReceiptContent } from './receipt.js';
import { isUnchanged, normalizeReceipt, type ReceiptInput } from './receipt.rules.js';
import { findReceipt, insertReceipt, lockReceiptByNo, replaceReceipt } from './receipt.store.js';

/** A receipt as given: lines with codes may omit the fields that the codes contain. */
type ReceiptToSync = Omit<ReceiptInput, 'lines'> & { lines: readonly ScannedLine[] };
export type ReceiptResult = 'created' | 'updated' | 'unchanged';

/** Enters or corrects a receipt by its number while it waits for acceptance. */
export async function syncReceipt(
  tx: Tx,
  receiptNo: string,
  given: ReceiptToSync,
): Promise<{ receipt: Receipt; result: ReceiptResult }> {
  if ((given.kind ?? 'purchase') === 'purchase') refuseReturnFields(given);
  const unknown = await referenceIssues(tx, given);
  const input = { ...given, lines: await fillFromScans(tx, given.lines, unknown) };
  const content = normalizeReceipt(input);
  const scans = input.lines.flatMap((line) => line.scans);
  let known = await lockReceiptByNo(tx, receiptNo);
  if (known && isUnchanged(known, content)) return { receipt: known, result: 'unchanged' };
  const day = await dayOfArrival(tx, content);
  input.lines.forEach((line, i) => {
    requireBatchDates(line, day, `/lines/${i}`);
  });
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
  if (!known) throw new Error('a receipt was neither inserted nor found');
  if (isUnchanged(known, content)) return { receipt: known, result: 'unchanged' };
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

/** Issues for unknown references and partners without the role. Codes on labels are checked later. */
async function referenceIssues(tx: Tx, given: ReceiptToSync): Promise<Issue[]> {
  const role = (given.kind ?? 'purchase') === 'purchase' ? 'supplier' : 'customer';
  const partnerCode = role === 'supplier' ? given.supplierCode : given.customerCode;
  const partners = await readNamedPartners(tx, [partnerCode ?? '']);
  const warehouses = await unknownWarehouses(tx, [given.warehouse]);
  const named = given.lines.map((line) => canonicalCode(line.productCode ?? ''));
  const products = await unknownProducts(tx, named);
  return [
    ...(partnerCode == null
      ? []
      : partnerIssues(`/${role}Code`, partnerCode, role, partners.get(partnerCode))),
    ...warehouses.map((code) => unknownWarehouse('/warehouse', code)),
    ...given.lines.flatMap(({ productCode }, i) =>
      productCode !== undefined && products.includes(canonicalCode(productCode))
        ? [unknownProduct(`/lines/${i}/productCode`, productCode)]
        : [],
    ),
    ...(await dispatchIssues(tx, given)),
  ];
}

/** Refuses the fields that only a return may have. */
function refuseReturnFields({ unmatched, lines }: ReceiptToSync): void {
  if (unmatched != null)
    throw invalid(
      'not_allowed',
      '/unmatched',
      'Only a return can have unmatched. Omit it, or set kind to return.',
    );
  const at = lines.findIndex((line) => line.dispatchId != null);
  if (at !== -1)
    throw invalid(
      'not_allowed',
      `/lines/${at}/dispatchId`,
      'Only a return can name a dispatch. Omit it, or set kind to return.',
    );
}

/** Issues for dispatches that did not go to the customer of the return. */
async function dispatchIssues(tx: Tx, { customerCode, lines }: ReceiptToSync): Promise<Issue[]> {
  const named = lines.flatMap(({ dispatchId }) => dispatchId ?? []);
  if (named.length === 0) return [];
  const known = await findDispatchesTo(tx, customerCode ?? '', named);
  return lines.flatMap(({ dispatchId }, i) =>
    dispatchId == null || known.has(dispatchId)
      ? []
      : unknownReference(
          `/lines/${i}/dispatchId`,
          `Dispatch ${dispatchId} to customer ${customerCode}`,
          'Name a dispatch of that customer, or omit it.',
        ),
  );
}

/** The organization's day of arrival. */
async function dayOfArrival(tx: Tx, { arrivedAt }: ReceiptContent): Promise<string> {
  if (arrivedAt === null) return tx.today;
  if (arrivedAt.getTime() > maxAcceptedTimestamp(tx.now)) throw refuseReceipt('in_the_future', '/arrivedAt');
  await requireInBooks(tx, arrivedAt, '/arrivedAt');
  return businessDay(await readBooks(tx), arrivedAt);
}

async function reread(tx: Tx, receiptId: string): Promise<Receipt> {
  const receipt = await findReceipt(tx, receiptId);
  if (!receipt) throw new Error('a receipt just written is missing');
  return receipt;
}
