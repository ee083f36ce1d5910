import type { CoverageTraits } from '../certificates/index.js';
import type { BatchChange, Movement } from '../stock/index.js';

/** The subject of a trace: a serialized unit, a batch, or all goods of a device. */
export interface Subject {
  productCode: string;
  batchNo: string | null;
  serialNo: string | null;
  /** Movements recorded later are left out; null omits none. */
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
  /** The device identifier of the unit of use. */
  udiDi: string | null;
  /** The package that the code identifies, or null if it identifies the unit of use. */
  package: { udiDi: string; level: string; quantity: number } | null;
  /** The fields that decide whether a certificate covers it. */
  traits: CoverageTraits;
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
  'destroyed',
  'returned_to_supplier',
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

/** Code and name are null if the caller may not see them. */
export interface Party {
  kind: (typeof PARTY_KINDS)[number];
  code: string | null;
  name: string | null;
}

/** A movement with names: from its document's snapshot, or the current ones if it has no document. */
export interface LedgerRow
  extends Pick<Movement, 'movementId' | 'kind' | 'warehouse' | 'batchNo' | 'quantity' | 'quantityDelta'> {
  position: number;
  warehouseName: string;
  document: Movement['document'];
  counterparty: Movement['counterparty'];
  counterpartyName: string | null;
  productName: string;
  /** The source of the hold, for a hold or release. */
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
  /** The changed dates of the batch, for a correction. */
  correction: BatchChange | null;
  /** Numbers of the certificates in force at a hand-over. */
  certificates: string[];
  /** Numbers among `certificates` that did not cover the product. */
  notCovering: string[];
}

export interface Holder extends Party {
  kind: 'warehouse' | 'customer';
  quantity: number;
}

/** Quantities of the subject in warehouses and at customers. */
export interface Holdings {
  warehouses: { code: string; name: string; quantity: number; expired: number; held: number }[];
  /** `undelivered` is the quantity dispatched without a recorded delivery. */
  customers: { code: string; name: string; quantity: number; undelivered: number }[];
}

export interface TracedRecall {
  recallId: string;
  recallNo: string;
  class: string;
  status: 'open' | 'closed';
  reason: string;
  openedAt: Date;
  /** The recall covers the whole subject, not only a part. */
  covers: boolean;
}

/** A package scanned at receipt and identified by its own serial number. */
export interface ReceivedPackage {
  receiptId: string;
  line: number;
  deviceIdentifier: string;
  serialNo: string;
  batchNo: string;
  /** Units of use in it. */
  quantity: number;
}
