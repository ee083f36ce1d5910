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
  /** The codes the line was read from, as scanned. */
  udis: string[];
  /** The package the line was counted in, and the number of packages. */
  udiDi: string | null;
  packages: number | null;
  /** Returns only: the dispatch it belongs to, if given. */
  dispatchId: string | null;
  /** The date was omitted and follows the batch until acceptance. */
  expiryFromBatch: boolean;
  manufactureFromBatch: boolean;
  acceptedQuantity: number | null;
  rejectedQuantity: number | null;
  rejectReason: string | null;
  /** Why goods that arrived outside their storage conditions are accepted anyway. */
  deviationReason: string | null;
  acceptedSerials: string[] | null;
}

export interface Receipt {
  receiptId: string;
  receiptNo: string;
  kind: (typeof RECEIPT_KINDS)[number];
  supplierCode: string | null;
  /** The name when the receipt was entered; updated once more at acceptance. */
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
  /** If set, goods that the customer does not hold are accepted too, for this reason and on this person's authority. */
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
  /** Certificate problems that the gate let through at acceptance. */
  warnings: GateWarning[];
}

type ContentLine = Pick<
  ReceiptLine,
  'lineNo' | 'productCode' | 'batchNo' | 'quantity' | 'serials' | 'udis' | 'udiDi' | 'packages' | 'dispatchId'
> & {
  /** Omitted: the date of the batch. */
  manufactureDate?: string | null | undefined;
  expiryDate?: string | null | undefined;
};

/** The whole content of a receipt, as each request sends it. */
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
  deviationReason?: string | null | undefined;
  /** The accepted serialized units, required when only some of the line are accepted. */
  acceptedSerials?: readonly string[] | undefined;
}
