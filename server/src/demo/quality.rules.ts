import type { DispositionKind, Execution } from '../quality/index.js';

/** Goods rejected at acceptance, by the number of their receipt. */
export const REJECTED: Readonly<Record<string, { quantity: number; reason: string }>> = {
  'GR-502': { quantity: 6, reason: 'cartons crushed in transit' },
  'GR-507': { quantity: 5, reason: 'temperature logger shows 14 °C during transport' },
  'GR-511': { quantity: 4, reason: 'expiry date on the label differs from the delivery note' },
  'GR-513': { quantity: 2, reason: 'sterile pouch pierced' },
  'GR-515': { quantity: 3, reason: 'blister not sealed' },
};

/** Goods that were accepted and found not to conform later, with the receipt that brought them. */
export const FOUND_LATER: readonly {
  receiptNo: string;
  quantity: number;
  daysAgo: number;
  reason: string;
}[] = [
  { receiptNo: 'GR-504', quantity: 3, daysAgo: 16, reason: 'sterile barrier found open on the shelf' },
  { receiptNo: 'GR-510', quantity: 10, daysAgo: 6, reason: 'batch number smudged on the label' },
];

/** A batch that a customer returned without having received it, of the product of a receipt. */
export const UNMATCHED_RETURN = {
  returnNo: 'RT-701',
  daysAgo: 3,
  sameProductAs: 'GR-508',
  customerCode: 'HOSP-004',
  batchNo: 'H90417',
  expiryDate: '2029-04-30',
  quantity: 2,
  reason: 'the hospital cannot say where it got this batch',
} as const;

/** One of the two users who decide about goods: one proposes, the other approves or rejects. */
export type Decider = 'quality' | 'qualityManager';

export interface PlannedDecision {
  /** The receipt that brought the goods. */
  receiptNo: string;
  by: Decider;
  kind: DispositionKind;
  reason: string;
  daysAgo: number;
  /** If omitted, it is neither approved nor rejected: it waits for the other person. */
  approved?: { daysAgo: number };
  rejected?: { daysAgo: number; reason: string };
  executed?: { daysAgo: number } & Partial<Execution>;
}

/** Decisions about most of these goods. The others wait for one. */
export const DECISIONS: readonly PlannedDecision[] = [
  {
    receiptNo: 'GR-502',
    by: 'quality',
    kind: 'return_to_supplier',
    reason: 'damaged before they reached us',
    daysAgo: 27,
    approved: { daysAgo: 26 },
    executed: { daysAgo: 24, carrier: 'Kestrel Couriers', trackingNo: 'KC-GR-502' },
  },
  {
    receiptNo: 'GR-507',
    by: 'quality',
    kind: 'destroy',
    reason: 'the supplier does not take reagents back',
    daysAgo: 17,
    approved: { daysAgo: 16 },
    executed: { daysAgo: 15, witness: 'warehouse@demo.example' },
  },
  {
    receiptNo: 'GR-504',
    by: 'quality',
    kind: 'destroy',
    reason: 'sterility cannot be guaranteed',
    daysAgo: 15,
    approved: { daysAgo: 14 },
    executed: { daysAgo: 11, witness: 'warehouse@demo.example' },
  },
  {
    receiptNo: 'GR-511',
    by: 'qualityManager',
    kind: 'return_to_supplier',
    reason: 'the label does not match the batch',
    daysAgo: 8,
    approved: { daysAgo: 7 },
  },
  {
    receiptNo: 'GR-510',
    by: 'quality',
    kind: 'release',
    reason: 'the screws themselves conform',
    daysAgo: 5,
    rejected: { daysAgo: 4, reason: 'not without a batch number that can be read' },
  },
  {
    receiptNo: 'GR-510',
    by: 'quality',
    kind: 'rework',
    reason: 'labels printed again and compared with the batch record',
    daysAgo: 2,
  },
  {
    receiptNo: 'GR-513',
    by: 'qualityManager',
    kind: 'destroy',
    reason: 'sterility cannot be guaranteed',
    daysAgo: 3,
  },
];
