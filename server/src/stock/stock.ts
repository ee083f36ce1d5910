import type { Tracking } from '../catalogue/index.js';

/** The stock of one batch in one warehouse. */
export interface Balance {
  warehouse: string;
  batchNo: string;
  quantity: number;
  reserved: number;
  /** Units on hold by quantity or by serial. */
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

export const BATCH_STATUSES = ['released', 'on_hold', 'recalled', 'expired'] as const;

/** The fields of a product that stock operations need. */
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
/** Decides who releases a hold. A caller chooses one of the first two; each of the others belongs to a source. */
export const CHOSEN_HOLD_CATEGORIES = ['logistics', 'quality'] as const;
export const HOLD_CATEGORIES = [
  ...CHOSEN_HOLD_CATEGORIES,
  'return',
  'unmatched_return',
  'environment',
  'recall',
] as const;

export interface Hold {
  holdId: string;
  productCode: string;
  batchNo: string;
  /** Null: every warehouse. */
  warehouse: string | null;
  extent: (typeof HOLD_EXTENTS)[number];
  /** Null for a whole batch. */
  quantity: number | null;
  serials: string[];
  category: (typeof HOLD_CATEGORIES)[number];
  source: (typeof HOLD_SOURCES)[number];
  /** The environment alert that caused it; null for every other source. */
  alertId: string | null;
  /** The entry of the register of nonconforming goods that its goods belong to. */
  ncId: string | null;
  /** The hold from which it was split off. */
  splitFrom: string | null;
  reason: string;
  createdAt: Date;
  createdBy: string;
  releasedAt: Date | null;
  releasedBy: string | null;
  releaseReason: string | null;
  updatedAt: Date;
}

/** The types of document that a movement can belong to. */
export const DOCUMENT_TYPES = [
  'receipt',
  'dispatch',
  'adjustment',
  'transfer',
  'hold',
  'disposition',
  'correction',
] as const;

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
  'destruction',
  'supplier_return',
] as const;

/** The dates of a batch before and after a correction. */
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
  /** The quantity the movement concerns. */
  quantity: number;
  /** The change of the balance: 0 for a hold, a release, a delivery or a correction. */
  quantityDelta: number;
  serials: string[];
  document: { type: (typeof DOCUMENT_TYPES)[number]; id: string; no: string | null; line: number | null };
  counterparty: { type: 'supplier' | 'customer' | 'warehouse'; code: string } | null;
  reason: string | null;
  /** Returns only: according to the ledger, the customer did not hold it. */
  unmatched: boolean;
  /** Returns only: the dispatch it belongs to, if given. */
  dispatchId: string | null;
  /** The hold that moved with the goods, or that a disposition ended for them. */
  holdId: string | null;
  /** Corrections only. */
  correction: BatchChange | null;
  occurredAt: Date;
  recordedAt: Date;
  actor: string;
}
