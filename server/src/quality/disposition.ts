export const DISPOSITION_KINDS = ['release', 'destroy', 'return_to_supplier', 'rework'] as const;
export const DISPOSITION_STATUSES = ['proposed', 'approved', 'rejected', 'executed'] as const;
export type DispositionKind = (typeof DISPOSITION_KINDS)[number];
export type DispositionStatus = (typeof DISPOSITION_STATUSES)[number];

/** Goods of one hold or one entry of the register, in one warehouse. */
export interface DispositionLine {
  lineNo: number;
  /** Null for goods that were never in stock. */
  holdId: string | null;
  /** Null for goods on hold that are not in the register. */
  ncId: string | null;
  productCode: string;
  productName: string;
  batchNo: string;
  expiryDate: string | null;
  warehouse: string;
  quantity: number;
  serials: string[];
}

/** A decision about goods in quality's control: proposed by one person, approved by another, then executed. */
export interface Disposition {
  dispositionId: string;
  dispositionNo: string;
  kind: DispositionKind;
  status: DispositionStatus;
  reason: string;
  lines: DispositionLine[];
  supplierCode: string | null;
  supplierName: string | null;
  proposedAt: Date;
  proposedBy: string;
  approvedAt: Date | null;
  approvedBy: string | null;
  rejectedAt: Date | null;
  rejectedBy: string | null;
  rejectReason: string | null;
  executedAt: Date | null;
  executedBy: string | null;
  witness: string | null;
  carrier: string | null;
  trackingNo: string | null;
  version: number;
  updatedAt: Date;
}
