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
  /** Of a recall by batches; a recall of the product names none. */
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

/** Stock that stands under an open recall now. */
export interface AffectedStock {
  warehouse: string;
  batchNo: string;
  quantity: number;
}

/** A dispatch that was stopped, and how it stands now. */
export interface StoppedDispatch {
  dispatchId: string;
  orderId: string;
  orderNo: string;
  customerCode: string;
  status: string;
  quantity: number;
}

/** A customer to whom recalled goods were shipped. */
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
  /** Of what was shipped, the part that came back. */
  share: number;
}

/** A recall with everything that follows from it. */
export interface RecallStanding extends Recall {
  affectedStock: AffectedStock[];
  openDispatches: StoppedDispatch[];
  consignees: Consignee[];
}
