import type { Tx } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';
import type { Receipt, ReceiptLine } from './receipt.js';

/** Goods of a receipt line that were rejected at acceptance. */
export interface RejectedGoods {
  receiptId: string;
  receiptNo: string;
  lineNo: number;
  productCode: string;
  productName: string;
  batchNo: string;
  expiryDate: string | null;
  serials: string[];
  quantity: number;
  warehouse: string;
  supplierCode: string | null;
  customerCode: string | null;
  reason: string;
}

/** Called in the transaction of an acceptance that rejects goods. */
export const onGoodsRejected = createHook<[tx: Tx, rejected: readonly RejectedGoods[]], void>(
  'receiving.onGoodsRejected',
);

/** The rejected goods of an accepted receipt, line by line. */
export function rejectedGoods(receipt: Receipt): RejectedGoods[] {
  const { receiptId, receiptNo, warehouse, supplierCode, customerCode } = receipt;
  const rejected = receipt.lines.filter((line) => (line.rejectedQuantity ?? 0) > 0);
  return rejected.map((line) => ({
    ...{ receiptId, receiptNo, warehouse, supplierCode, customerCode },
    lineNo: line.lineNo,
    productCode: line.productCode,
    productName: line.productName,
    batchNo: line.batchNo,
    expiryDate: line.expiryDate,
    serials: rejectedSerials(line),
    quantity: line.rejectedQuantity ?? 0,
    reason: line.rejectReason ?? '',
  }));
}

function rejectedSerials({ serials, acceptedSerials }: ReceiptLine): string[] {
  const accepted = new Set(acceptedSerials);
  return serials.filter((serialNo) => !accepted.has(serialNo));
}
