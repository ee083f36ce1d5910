import type { Tracking } from '../catalogue/index.js';

/** What there is of one batch in one warehouse. */
export interface Balance {
  warehouse: string;
  batchNo: string;
  quantity: number;
  reserved: number;
  /** Pieces on hold one by one (by quantity or by serial). */
  held: number;
  /** Holds on the whole batch that cover this warehouse. */
  wholeHolds: number;
}

export interface Batch {
  productCode: string;
  batchNo: string;
  manufactureDate: string | null;
  expiryDate: string | null;
}

/** What stock operations need to know of a product. */
export interface StockedProduct {
  productCode: string;
  productName: string;
  tracking: Tracking;
}

export interface Serial {
  serialNo: string;
  batchNo: string;
  /** Null: not in stock. */
  warehouse: string | null;
  holds: number;
}

export const HOLD_EXTENTS = ['batch', 'quantity', 'serials'] as const;
export const HOLD_SOURCES = ['manual', 'recall', 'return', 'unmatched_return', 'environment'] as const;

export interface Hold {
  holdId: string;
  productCode: string;
  batchNo: string;
  /** Null: wherever the batch is. */
  warehouse: string | null;
  extent: (typeof HOLD_EXTENTS)[number];
  /** Null for a whole batch. */
  quantity: number | null;
  serials: string[];
  source: (typeof HOLD_SOURCES)[number];
  /** The environment alert it comes from; null for every other source. */
  alertId: string | null;
  reason: string;
  createdAt: Date;
  createdBy: string;
  releasedAt: Date | null;
  releasedBy: string | null;
  releaseReason: string | null;
}

export const MOVEMENT_KINDS = [
  'receipt',
  'return',
  'dispatch',
  'delivery',
  'adjustment',
  'hold',
  'release',
  'transfer_out',
  'transfer_in',
  'correction',
] as const;

/** What a correction changed of a batch. */
export interface BatchChange {
  expiryDate: { before: string | null; after: string | null };
  manufactureDate: { before: string | null; after: string | null };
}

export interface Movement {
  movementId: string;
  kind: (typeof MOVEMENT_KINDS)[number];
  productCode: string;
  warehouse: string;
  batchNo: string;
  /** How much it concerns. */
  quantity: number;
  /** What it adds to the balance: 0 for a hold, a release, a delivery or a correction. */
  quantityDelta: number;
  serials: string[];
  document: { type: string; id: string; no: string | null; line: number | null };
  counterparty: { type: 'supplier' | 'customer' | 'warehouse'; code: string } | null;
  reason: string | null;
  /** Of a return: the customer held none of it according to the ledger. */
  unmatched: boolean;
  /** Of a return: the dispatch it belongs to, where it was said. */
  dispatchId: string | null;
  /** Of a correction: what it changed. */
  correction: BatchChange | null;
  occurredAt: Date;
  recordedAt: Date;
  actor: string;
}
