import type { ProductWords } from '../catalogue/index.js';
import type { GateWarning } from '../certificates/index.js';

export const DISPATCH_STATUSES = ['picking', 'rechecking', 'dispatched', 'delivered', 'cancelled'] as const;
export type DispatchStatus = (typeof DISPATCH_STATUSES)[number];

export interface DispatchPick {
  lineNo: number;
  batchNo: string;
  quantity: number;
  serials: string[];
  reason: string | null;
}

export interface DispatchLine extends ProductWords {
  lineNo: number;
  productCode: string;
  tracking: 'none' | 'batch' | 'serial';
  quantity: number;
  /** What is promised for it: the pick list. */
  toPick: { batchNo: string; quantity: number }[];
  picks: (Omit<DispatchPick, 'lineNo'> & { expiryDate: string | null })[];
}

/** What was read off a label, for whichever step. */
export interface DispatchScan {
  purpose: 'pick' | 'recheck';
  code: string;
  lineNo: number | null;
  batchNo: string;
  serialNo: string | null;
  quantity: number;
  scannedBy: string;
  scannedAt: string;
}

export interface Dispatch {
  dispatchId: string;
  orderId: string;
  orderNo: string;
  customerCode: string;
  /** Today's name until the dispatch has left or was cancelled; then the name of that moment, like the words of its lines. */
  customerName: string;
  warehouse: string;
  status: DispatchStatus;
  lines: DispatchLine[];
  pickedBy: string | null;
  recheckedBy: string | null;
  recheckReason: string | null;
  carrier: string | null;
  trackingNo: string | null;
  receivedBy: string | null;
  cancelReason: string | null;
  version: number;
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
  pickedAt: Date | null;
  recheckedAt: Date | null;
  dispatchedAt: Date | null;
  deliveredAt: Date | null;
  cancelledAt: Date | null;
  /** Everything that was scanned for it, in that order; also what was put back. */
  scans: DispatchScan[];
  /** What stood against its re-check and was let through. */
  warnings: GateWarning[];
}
