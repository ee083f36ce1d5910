import type { Tracking } from '../catalogue/index.js';

export type ScanPurpose = 'receipt' | 'pick' | 'recheck';

/** What a scanned code says, in terms of the catalogue. */
export interface ScannedItem {
  /** As it was given. */
  code: string;
  productCode: string;
  tracking: Tracking;
  /** How many base units one such package holds; 1 for the unit itself. */
  packageUnits: number;
  /** How many base units the code stands for: the quantity in it, or one, of its packages. */
  units: number;
  batchNo: string | null;
  serialNo: string | null;
  manufactureDate: string | null;
  expiryDate: string | null;
}

/** What somebody read off a label, as evidence of a step of a document. */
export interface ScanEvidence {
  /** Null: of no line of the document. */
  lineNo: number | null;
  code: string;
  productCode: string;
  batchNo: string;
  serialNo: string | null;
  quantity: number;
}
