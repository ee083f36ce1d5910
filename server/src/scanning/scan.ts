import type { Tracking } from '../catalogue/index.js';

export type ScanPurpose = 'receipt' | 'pick' | 'recheck';

/** A scanned code with its product. */
export interface ScannedItem {
  /** As given. */
  code: string;
  productCode: string;
  tracking: Tracking;
  /** Base units per package; 1 for the unit itself. */
  packageUnits: number;
  /** Base units the code stands for: its quantity (default one) times the units per package. */
  units: number;
  batchNo: string | null;
  serialNo: string | null;
  manufactureDate: string | null;
  expiryDate: string | null;
}

/** A scan, recorded as evidence of a step of a document. */
export interface ScanEvidence {
  /** Null: no line of the document. */
  lineNo: number | null;
  code: string;
  productCode: string;
  batchNo: string;
  serialNo: string | null;
  quantity: number;
}
