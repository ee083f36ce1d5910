import type { ProductWords } from '../catalogue/index.js';
import type { GateWarning } from '../certificates/index.js';

export const ORDER_STATUSES = [
  'pending_approval',
  'approved',
  'rejected',
  'cancelled',
  'partially_dispatched',
  'dispatched',
  'delivered',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export interface OrderLine extends ProductWords {
  lineNo: number;
  productCode: string;
  quantity: number;
  /** A decimal with two to six places. */
  unitPrice: string;
  batchNo: string | null;
  minRemainingShelfLifeDays: number | null;
  /** Reservations of stock that can still be sold. */
  reserved: { batchNo: string; expiryDate: string | null; quantity: number }[];
  dispatchedQuantity: number;
  deliveredQuantity: number;
  closedQuantity: number;
}

export interface StatusChange {
  previousStatus: OrderStatus | null;
  currentStatus: OrderStatus;
  changedBy: string;
  changedAt: Date;
  reason: string | null;
}

export interface Order {
  orderId: string;
  orderNo: string;
  customerCode: string;
  /** The name at the time the content was last written. */
  customerName: string;
  status: OrderStatus;
  onHold: boolean;
  warehouse: string;
  requestedDate: string | null;
  currency: string;
  lines: OrderLine[];
  remark: string | null;
  sourceVersion: number | null;
  /** Certificate problems that the gate let through at approval. */
  warnings: GateWarning[];
  version: number;
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
  statusHistory: StatusChange[];
}

/** The whole content of an order, as each request sends it. */
export interface OrderContent {
  warehouse: string;
  requestedDate: string | null;
  currency: string;
  remark: string | null;
  lines: ContentLine[];
}

export interface ContentLine {
  lineNo: number;
  productCode: string;
  quantity: number;
  unitPrice: string;
  batchNo: string | null;
  minRemainingShelfLifeDays: number | null;
}

export type SyncResult = 'created' | 'updated' | 'unchanged' | 'cancelled';
