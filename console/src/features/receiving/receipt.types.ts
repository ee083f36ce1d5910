import type { Data } from '@lotward/client';

export type Receipt = Data<'/v2/receipts/{receiptId}', 'get'>;

/** The verdict on one line at acceptance. */
export interface Decision {
  lineNo: number;
  rejected: number;
  reason: string;
  /** Serial numbers of rejected units; empty for a line without serialized units. */
  rejectedSerials: string[];
}
