import { recordAudit } from '../audit/index.js';
import { purchaseIssues, type TradeParties } from '../catalogue/index.js';
import type { Gate, GateWarning, Subject } from '../certificates/index.js';
import { publishEvents } from '../events/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing, refuseAny } from '../platform/errors/index.js';
import { bringInStock, type Inbound, settleArrivals } from '../stock/index.js';
import { refuseReceipt } from './receipt.errors.js';
import type { LineVerdict, Receipt, ReceiptLine } from './receipt.js';
import { judgeLines, receiptMachine, statusAfter } from './receipt.rules.js';
import { findReceipt, finishReceipt, lockReceipt } from './receipt.store.js';
import { onGoodsRejected, rejectedGoods } from './receipt-hooks.js';
import { lockPartiesOfPurchase, lockStockOfReceipt, readGateOfPurchase } from './receipt-subjects.store.js';

/** Records the verdicts on a receipt, once. Accepted goods enter stock. */
export async function acceptReceipt(
  tx: Tx,
  receiptId: string,
  verdicts: readonly LineVerdict[],
): Promise<Receipt> {
  // Sent together: each of them selects its rows by the id of the receipt.
  const [receipt, parties, gate, stock] = await Promise.all([
    lockReceipt(tx, receiptId),
    lockPartiesOfPurchase(tx, [receiptId]),
    readGateOfPurchase(tx, [receiptId]),
    lockStockOfReceipt(tx, receiptId),
  ]);
  if (!receipt) throw missing('receipt', 'receiptId');
  receiptMachine.require(receipt.status, 'accept');
  const lines = judgeLines(receipt, verdicts);
  const at: PathOf = (line) => `/lines/${verdicts.findIndex((each) => each.lineNo === line.lineNo)}`;
  const accepted = lines.filter((line) => (line.acceptedQuantity ?? 0) > 0);
  const warnings =
    receipt.kind === 'purchase' ? requireAcceptable(tx, { receipt, accepted, at, parties, gate }) : [];
  const arrived = await bringInStock(
    tx,
    accepted.map((line) => toInbound(receipt, line, at(line))),
    stock,
  );
  finishReceipt(tx, receipt, { status: statusAfter(lines), lines, warnings });
  const [after] = await Promise.all([findReceipt(tx, receiptId), settleArrivals(tx, arrived)]);
  if (!after) throw new Error('a locked receipt is missing');
  const rejected = rejectedGoods(after);
  if (rejected.length > 0) await onGoodsRejected(tx, rejected);
  if (receipt.kind === 'purchase' && accepted.length > 0)
    await publishEvents(tx, [inboundCompleted(tx, after)]);
  await recordAudit(tx, {
    action: 'receipt.accept',
    entityType: 'receipt',
    entityId: receiptId,
    before: receipt,
    after,
  });
  return after;
}

/** The path of the verdict on a line in the caller's body. */
type PathOf = (line: ReceiptLine) => string;

interface AcceptedPurchase {
  receipt: Receipt;
  accepted: readonly ReceiptLine[];
  at: PathOf;
  parties: TradeParties;
  gate: Gate;
}

function requireAcceptable(
  tx: Tx,
  { receipt, accepted, at, parties, gate }: AcceptedPurchase,
): GateWarning[] {
  const expired = accepted.find((line) => line.expiryDate !== null && line.expiryDate < tx.today);
  if (expired) {
    throw refuseReceipt(
      'batch_expired',
      at(expired),
      `batch ${expired.batchNo} expired on ${expired.expiryDate}`,
    );
  }
  if (accepted.length === 0) return [];
  const supplierCode = receipt.supplierCode ?? '';
  const lines = accepted.map((line) => ({ path: at(line), productCode: line.productCode }));
  refuseAny(purchaseIssues(parties, supplierCode, lines, 'reject what was received'));
  const subjects: Subject[] = [{ type: 'supplier', code: supplierCode }];
  subjects.push(...accepted.map((line) => ({ type: 'product' as const, code: line.productCode })));
  return gate(subjects);
}

function toInbound(receipt: Receipt, line: ReceiptLine, path: string): Inbound {
  const partner =
    receipt.kind === 'purchase'
      ? { type: 'supplier' as const, code: receipt.supplierCode ?? '' }
      : { type: 'customer' as const, code: receipt.customerCode ?? '' };
  return {
    path,
    productCode: line.productCode,
    warehouse: receipt.warehouse,
    batchNo: line.batchNo,
    expiryDate: line.expiryFromBatch ? undefined : line.expiryDate,
    manufactureDate: line.manufactureFromBatch ? undefined : line.manufactureDate,
    quantity: line.acceptedQuantity ?? 0,
    serials: line.acceptedSerials ?? [],
    counterparty: partner,
    document: { type: 'receipt', id: receipt.receiptId, no: receipt.receiptNo, line: line.lineNo },
    returned:
      receipt.kind === 'return'
        ? { dispatchId: line.dispatchId, unmatchedReason: receipt.unmatched?.reason ?? null }
        : null,
  };
}

function inboundCompleted(tx: Tx, receipt: Receipt) {
  return {
    type: 'inventory.inbound_completed' as const,
    at: tx.now,
    entity: { type: 'receipt', id: receipt.receiptId, version: receipt.version },
    customerCode: null,
    data: {
      receiptId: receipt.receiptId,
      receiptNo: receipt.receiptNo,
      supplierCode: receipt.supplierCode,
      warehouse: receipt.warehouse,
      acceptedBy: tx.actor,
      acceptedAt: tx.now.toISOString(),
      lines: receipt.lines.map((line) => ({
        productCode: line.productCode,
        productName: line.productName,
        batchNo: line.batchNo,
        manufactureDate: line.manufactureDate,
        expiryDate: line.expiryDate,
        acceptedQuantity: line.acceptedQuantity ?? 0,
        rejectedQuantity: line.rejectedQuantity ?? 0,
      })),
    },
  };
}
