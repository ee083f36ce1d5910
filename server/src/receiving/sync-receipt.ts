import { recordAudit } from '../audit/index.js';
import { readPartnerRoles, unknownProducts, unknownWarehouses } from '../catalogue/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseReference } from '../platform/errors/index.js';
import { canonicalCode } from '../platform/gtin/index.js';
import { newId } from '../platform/ids/index.js';
import { refuseReceipt } from './receipt.errors.js';
import type { Receipt, ReceiptContent } from './receipt.js';
import { normalizeReceipt, type ReceiptInput, receiptContentOf } from './receipt.rules.js';
import { findReceipt, insertReceipt, lockReceiptByNo, replaceReceipt } from './receipt.store.js';

export type ReceiptResult = 'created' | 'updated' | 'unchanged';

/** Enters or corrects a receipt by its number while it waits for acceptance. */
export async function syncReceipt(
  tx: Tx,
  receiptNo: string,
  input: ReceiptInput,
): Promise<{ receipt: Receipt; result: ReceiptResult }> {
  const content = normalizeReceipt(input);
  await requireReferences(tx, content, input);
  let known = await lockReceiptByNo(tx, receiptNo);
  if (!known) {
    const receiptId = newId('rcp', tx.now);
    if (await insertReceipt(tx, receiptId, receiptNo, content)) {
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
