import type { ProductWords } from '../catalogue/index.js';
import type { GateWarning } from '../certificates/index.js';

export const RECEIPT_STATUSES = [
  'pending_acceptance',
  'accepted',
  'partially_accepted',
  'rejected',
  'cancelled',
] as const;
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
  /** The package it was counted in, and how many of them. */
  udiDi: string | null;
  packages: number | null;
  /** Of a return: the dispatch it belongs to, where it was said. */
  dispatchId: string | null;
  /** The date was left out: until acceptance it is the batch's. */
  expiryFromBatch: boolean;
  manufactureFromBatch: boolean;
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
  purchaseOrderNo: string | null;
  arrivedAt: Date | null;
  /** In °C. */
  transportTemperature: number | null;
  sampled: boolean | null;
  /** Set: what the customer does not hold is taken in too, for this reason, on this person's word. */
  unmatched: { reason: string; allowedBy: string } | null;
  lines: ReceiptLine[];
  version: number;
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
  acceptedAt: Date | null;
  acceptedBy: string | null;
  cancelledAt: Date | null;
  cancelledBy: string | null;
  cancelReason: string | null;
  /** What stood against its acceptance and was let through. */
  warnings: GateWarning[];
}

type ContentLine = Pick<
  ReceiptLine,
  'lineNo' | 'productCode' | 'batchNo' | 'quantity' | 'serials' | 'udis' | 'udiDi' | 'packages' | 'dispatchId'
> & {
  /** Not given: that of the batch. */
  manufactureDate?: string | null | undefined;
  expiryDate?: string | null | undefined;
};

/** What a caller says a receipt is; the whole of it, each time. */
export type ReceiptContent = Pick<
  Receipt,
  | 'kind'
  | 'supplierCode'
  | 'customerCode'
  | 'warehouse'
  | 'remark'
  | 'purchaseOrderNo'
  | 'arrivedAt'
  | 'transportTemperature'
  | 'sampled'
> & {
  unmatchedReason: string | null;
  lines: ContentLine[];
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
