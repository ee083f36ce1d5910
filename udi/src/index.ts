export { type FailureReason, failureReasons, type UdiFailure } from './failure.js';
export { CODE_LENGTH_MAX, type ReadOptions, readUdi, type UdiReading } from './read.js';
export type { IssuingAgency, Udi, UdiContent } from './udi.js';
export { type UdiDraft, type UdiForm, type UdiWriting, type WriteOptions, writeUdi } from './write.js';
