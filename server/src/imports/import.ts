import type { ImportKindName } from './import-kinds.js';
import type { ImportFormat } from './import-rows.js';

export const IMPORT_STATUSES = ['queued', 'running', 'done', 'stopped', 'cancelled'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** The file as it may be sent, in UTF-8. */
export const CONTENT_BYTES_MAX = 5 * 1_048_576;
export const ROWS_MAX = 50_000;
/** Rows written in one transaction. */
export const ROWS_PER_PART = 100;
/** Unfinished imports per organization. */
export const UNFINISHED_MAX = 20;
/** Refused rows that are stored, and how many of them a response shows; the file has all that are stored. */
export const REFUSALS_STORED_MAX = 10_000;
export const REFUSALS_SHOWN_MAX = 1_000;

export interface Import {
  importId: string;
  kind: ImportKindName;
  format: ImportFormat;
  dryRun: boolean;
  status: ImportStatus;
  stoppedReason: string | null;
  stoppedMessage: string | null;
  /** Null until the file has been read. */
  rows: number | null;
  created: number;
  updated: number;
  refusedCount: number;
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
  finishedAt: Date | null;
}

/** The credential or the person an import acts for. */
export interface Requester {
  actor: string;
  credentialId: string;
  keyId: string | null;
  clientId: string | null;
  userId: string | null;
  grantHash: Buffer | null;
}
