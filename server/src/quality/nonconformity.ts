export const NONCONFORMITY_SOURCES = ['receipt', 'return', 'manual'] as const;
export const NONCONFORMITY_STATUSES = ['open', 'decided', 'closed'] as const;
export type NonconformityStatus = (typeof NONCONFORMITY_STATUSES)[number];

/** An entry of the register of nonconforming goods. */
export interface Nonconformity {
  ncId: string;
  /** The document that brought the goods; null for a manual entry. */
  source: {
    kind: (typeof NONCONFORMITY_SOURCES)[number];
    id: string | null;
    no: string | null;
    line: number | null;
  };
  productCode: string;
  /** The name at the time of the entry. */
  productName: string;
  batchNo: string;
  expiryDate: string | null;
  serials: string[];
  quantity: number;
  warehouse: string;
  supplierCode: string | null;
  customerCode: string | null;
  /** False for goods rejected at acceptance, which were never part of the stock. */
  inStock: boolean;
  reason: string;
  status: NonconformityStatus;
  /** In dispositions that wait for approval. */
  proposedQuantity: number;
  /** In dispositions that are approved and not yet executed. */
  approvedQuantity: number;
  executedQuantity: number;
  /** Released with their hold, without a disposition. */
  releasedQuantity: number;
  /** Taken out of stock by an adjustment. */
  adjustedQuantity: number;
  createdAt: Date;
  createdBy: string;
  closedAt: Date | null;
  version: number;
  updatedAt: Date;
}

/** An entry with the holds on its goods and the dispositions about it. */
export interface NonconformityRecord extends Nonconformity {
  holdIds: string[];
  dispositionIds: string[];
}
