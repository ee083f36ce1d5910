import type { Data } from '@lotward/client';

export type Receipt = Data<'/v2/receipts/{receiptId}', 'get'>;

/** What becomes of one line at acceptance. */
export interface Decision {
  lineNo: number;
  rejected: number;
  reason: string;
  /** Of a line with serialized units: those rejected. */
  rejectedSerials: string[];
}
