export { type GivenCode, resolveScans, storedNumber } from './resolve-scans.js';
export type { ScanEvidence, ScannedItem } from './scan.js';
export { ScannedCode, ScannedCodes } from './scan.schemas.js';
export { type IdentifiedProduct, readIdentifiedProducts, recordScans } from './scan.store.js';
export { scanRows } from './scan-rows.js';
