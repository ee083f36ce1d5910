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

/** A pick as a caller names it. */
export interface GivenPick extends DispatchPick {
  /** Undefined: not given. */
  expiryDate?: string | null | undefined;
}

export interface DispatchLine extends ProductWords {
  lineNo: number;
  productCode: string;
  tracking: 'none' | 'batch' | 'serial';
  quantity: number;
  /** The pick list: reservations of the line. */
  toPick: { batchNo: string; quantity: number }[];
  picks: (Omit<DispatchPick, 'lineNo'> & { expiryDate: string | null })[];
}

/** A code read off a label, for picking or re-check. */
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
  dispatchNo: string;
  orderId: string;
  orderNo: string;
  customerCode: string;
  /** The current name until the dispatch leaves or is cancelled; then fixed, like the names on its lines. */
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
  /** All scans in their order, including goods that were put back. */
  scans: DispatchScan[];
  /** Certificate problems that the gate let through at re-check. */
  warnings: GateWarning[];
}
