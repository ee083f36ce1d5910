import type { BatchChange, Movement } from '../stock/index.js';

/** What a code leads to: a piece, a batch, or everything of a device. */
export interface Subject {
  productCode: string;
  batchNo: string | null;
  serialNo: string | null;
  /** What was recorded later is left out; null: nothing is. */
  until: Date | null;
}

export interface TracedProduct {
  productCode: string;
  productName: string;
  specification: string | null;
  model: string | null;
  manufacturer: string | null;
  registrationNo: string | null;
  riskClass: string | null;
  unit: string | null;
  tracking: string;
  /** Of the unit of use. */
  udiDi: string | null;
  /** The package that the code names, null where it names the unit of use. */
  package: { udiDi: string; level: string; quantity: number } | null;
}

export const STEPS = [
  'received',
  'returned',
  'added',
  'removed',
  'moved_out',
  'moved_in',
  'held',
  'recalled',
  'released',
  'dispatched',
  'delivered',
  'corrected',
] as const;
export type Step = (typeof STEPS)[number];

export const TRACE_STATUSES = [
  'in_stock',
  'on_hold',
  'recalled',
  'expired',
  'dispatched',
  'delivered',
  'removed',
  'none',
] as const;
export type TraceStatus = (typeof TRACE_STATUSES)[number];

export const PARTY_KINDS = ['supplier', 'customer', 'warehouse'] as const;

/** Code and name are null where the caller may not know them. */
export interface Party {
  kind: (typeof PARTY_KINDS)[number];
  code: string | null;
  name: string | null;
}

/** A row of the ledger with names: in the words of its document, or, where it has none, those of today. */
export interface LedgerRow
  extends Pick<Movement, 'movementId' | 'kind' | 'warehouse' | 'batchNo' | 'quantity' | 'quantityDelta'> {
  position: number;
  warehouseName: string;
  document: Movement['document'];
  counterparty: Movement['counterparty'];
  counterpartyName: string | null;
  productName: string;
  /** Of a hold or release: what it was for. */
  holdSource: string | null;
  expiryDate: string | null;
  correction: BatchChange | null;
  occurredAt: Date;
  recordedAt: Date;
  actor: string;
}

export interface ChainItem {
  movementId: string;
  position: number;
  step: Step;
  at: Date;
  recordedAt: Date;
  location: string | null;
  from: Party | null;
  to: Party | null;
  document: Movement['document'] | null;
  productName: string;
  batchNo: string;
  serialNo: string | null;
  expiryDate: string | null;
  quantity: number;
  actor: string | null;
  /** Of a correction: what it changed of the batch. */
  correction: BatchChange | null;
  certificates: string[];
}

export interface Holder extends Party {
  kind: 'warehouse' | 'customer';
  quantity: number;
}

/** What there is of the subject in warehouses and with customers. */
export interface Holdings {
  warehouses: { code: string; name: string; quantity: number; expired: number; held: number }[];
  /** `undelivered`: shipped, and not yet said to have arrived. */
  customers: { code: string; name: string; quantity: number; undelivered: number }[];
}

export interface TracedRecall {
  recallId: string;
  recallNo: string;
  class: string;
  status: 'open' | 'closed';
  reason: string;
  openedAt: Date;
  /** It is about the whole of the subject, not only a part. */
  covers: boolean;
}

/** A package that was scanned when goods came in, and is known by a serial number of its own. */
export interface ReceivedPackage {
  receiptId: string;
  line: number;
  deviceIdentifier: string;
  serialNo: string;
  batchNo: string;
  /** Units of use in it. */
  quantity: number;
}
