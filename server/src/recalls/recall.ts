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
  lastEventAt: Date;
}

/** Stock that the holds of a recall block now. */
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

export const ANSWER_COUNTS = ['onHand', 'used', 'returned', 'destroyed', 'notFound'] as const;

/** The units shipped to a consignee, by its own count. */
export type AnswerCounts = Record<(typeof ANSWER_COUNTS)[number], number>;

interface RecallAnswer extends AnswerCounts {
  note: string | null;
  answeredAt: Date;
  answeredBy: string;
}

/** A customer to whom recalled goods were shipped before the recall was opened. */
export interface Consignee {
  customerCode: string;
  customerName: string;
  quantity: number;
  returnedQuantity: number;
  /** The recalled batches, and the serialized units that the recall names, that were shipped to it. */
  batchNos: string[];
  serials: string[];
  documents: { type: string; id: string; no: string | null }[];
  acknowledgedAt: Date | null;
  note: string | null;
  answer: RecallAnswer | null;
  /** Why the recall was closed without its answer. */
  unansweredReason: string | null;
}

/** The delivered goods by the counts of the consignees, and the returned ones by the ledger. */
export interface Progress extends AnswerCounts {
  delivered: number;
  /** Units that no answer accounts for. */
  notAnswered: number;
  returnedQuantity: number;
}

export interface Effectiveness {
  consignees: number;
  acknowledged: number;
  answered: number;
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
