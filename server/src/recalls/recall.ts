export const RECALL_EXTENTS = ['product', 'batches', 'serials'] as const;
export const RECALL_CLASSES = ['I', 'II', 'III'] as const;
export const RECALL_STATUSES = ['open', 'closed'] as const;

export type RecallExtent = (typeof RECALL_EXTENTS)[number];
export type RecallStatus = (typeof RECALL_STATUSES)[number];

export interface Recall {
  recallId: string;
  recallNo: string;
  productCode: string;
  productName: string;
  extent: RecallExtent;
  /** Empty unless the extent is `batches`. */
  batchNos: string[];
  serials: string[];
  class: (typeof RECALL_CLASSES)[number];
  reason: string;
  status: RecallStatus;
  openedAt: Date;
  openedBy: string;
  closedAt: Date | null;
  closedBy: string | null;
  closeReason: string | null;
  version: number;
}

/** Stock that an open recall blocks now. */
export interface AffectedStock {
  warehouse: string;
  batchNo: string;
  quantity: number;
}

/** A dispatch that the recall stopped, with its current status. */
export interface StoppedDispatch {
  dispatchId: string;
  orderId: string;
  orderNo: string;
  customerCode: string;
  status: string;
  quantity: number;
}

/** A customer to whom recalled goods were shipped before the recall was opened. */
export interface Consignee {
  customerCode: string;
  customerName: string;
  quantity: number;
  returnedQuantity: number;
  batchNos: string[];
  documents: { type: string; id: string; no: string | null }[];
  acknowledgedAt: Date | null;
  note: string | null;
}

export interface Effectiveness {
  consignees: number;
  acknowledged: number;
  shippedQuantity: number;
  returnedQuantity: number;
  /** The returned part of the shipped quantity, 0 to 1. */
  share: number;
}

/** A recall with its affected stock, stopped dispatches and consignees. */
export interface RecallStanding extends Recall {
  affectedStock: AffectedStock[];
  openDispatches: StoppedDispatch[];
  consignees: Consignee[];
}
