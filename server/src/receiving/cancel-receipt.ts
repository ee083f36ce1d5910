import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import type { Receipt } from './receipt.js';
import { receiptMachine } from './receipt.rules.js';
import { findReceipt, lockReceipt, saveCancelled } from './receipt.store.js';

/** Cancels a receipt that waits for acceptance. Its number cannot be used again. */
export async function cancelReceipt(tx: Tx, receiptId: string, reason: string): Promise<Receipt> {
  const receipt = await lockReceipt(tx, receiptId);
  if (!receipt) throw missing('receipt', 'receiptId');
  receiptMachine.require(receipt.status, 'cancel');
  await saveCancelled(tx, receipt, reason);
  const after = await findReceipt(tx, receiptId);
  if (!after) throw new Error('a locked receipt is missing');
  await recordAudit(tx, {
    action: 'receipt.cancel',
    entityType: 'receipt',
    entityId: receiptId,
    reason,
    before: receipt,
    after,
  });
  return after;
}
