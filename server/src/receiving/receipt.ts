import type { ProductWords } from '../catalogue/index.js';
import type { GateWarning } from '../certificates/index.js';

export const RECEIPT_STATUSES = ['pending_acceptance', 'accepted', 'partially_accepted', 'rejected'] as const;
export type ReceiptStatus = (typeof RECEIPT_STATUSES)[number];
export const RECEIPT_KINDS = ['purchase', 'return'] as const;

export interface ReceiptLine extends ProductWords {
  lineNo: number;
  productCode: string;
  batchNo: string;
  manufactureDate: string | null;
  expiryDate: string | null;
  quantity: number;
  serials: string[];
  /** The codes it was read from, as they were scanned. */
  udis: string[];
  acceptedQuantity: number | null;
  rejectedQuantity: number | null;
  rejectReason: string | null;
  acceptedSerials: string[] | null;
}

export interface Receipt {
  receiptId: string;
  receiptNo: string;
  kind: (typeof RECEIPT_KINDS)[number];
  supplierCode: string | null;
  /** As it was called when the receipt was entered; taken anew at acceptance. */
  supplierName: string | null;
  customerCode: string | null;
  customerName: string | null;
  warehouse: string;
  status: ReceiptStatus;
  remark: string | null;
  lines: ReceiptLine[];
  version: number;
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
  acceptedAt: Date | null;
  acceptedBy: string | null;
  /** What stood against its acceptance and was let through. */
  warnings: GateWarning[];
}

/** What a caller says a receipt is; the whole of it, each time. */
export type ReceiptContent = Pick<
  Receipt,
  'kind' | 'supplierCode' | 'customerCode' | 'warehouse' | 'remark'
> & {
  lines: Pick<
    ReceiptLine,
    'lineNo' | 'productCode' | 'batchNo' | 'manufactureDate' | 'expiryDate' | 'quantity' | 'serials' | 'udis'
  >[];
};

/** The verdict on one line. */
export interface LineVerdict {
  lineNo: number;
  acceptedQuantity: number;
  rejectedQuantity: number;
  rejectReason?: string | null | undefined;
  /** Which pieces were accepted, where only some of a serial-tracked line were. */
  acceptedSerials?: readonly string[] | undefined;
}
