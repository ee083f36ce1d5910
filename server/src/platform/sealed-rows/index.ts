export { reportSeals, type SealReport } from './report-seals.js';
export { type ResealedKind, type ResealOptions, resealRows } from './reseal-rows.js';
export { freshSeal, openAt, type SealedRows, sealBeginning } from './sealed-rows.js';
