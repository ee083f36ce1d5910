export { type FailureReason, failureReasons, type UdiFailure } from './failure.js';
export { checkDigit as gs1CheckDigit } from './gs1/check-digit.js';
export { canonicalCode, isGln, isGtin } from './gs1/gtin.js';
export { CODE_LENGTH_MAX, type ReadOptions, readUdi, type UdiReading } from './read.js';
export type { IssuingAgency, Udi, UdiContent } from './udi.js';
export { type UdiDraft, type UdiForm, type UdiWriting, type WriteOptions, writeUdi } from './write.js';
