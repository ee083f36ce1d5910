import type { Statement } from '../database/index.js';
import type { SealPlace } from '../secrets/index.js';

/** The sealed columns of a table, as its owner describes them to those who look after all seals. */
export interface SealedRows {
  /** For people: `webhook secrets`. */
  kind: string;
  /** False for what belongs to the installation as a whole. */
  hasOrganization: boolean;
  /** Every seal that is stored, as the worker: rows of `sealed`, the beginning with version and key id, and `count`. */
  count: Statement;
  /** A page of rows of one organization, by key, as the app: `id` and `sealed`, an array of all its seals. ($1 organization, $2 id before, $3 rows) */
  read: Statement;
  /** Replaces the seals of a row that still has the old ones. ($1 organization, $2 id, $3 old, $4 new) */
  replace: Statement;
  place(orgId: string, id: string): SealPlace;
}

/** The beginning of a seal: version and key id. For `count`. */
export const sealBeginning = (column: string): string =>
  `split_part(${column}, '.', 1) || '.' || split_part(${column}, '.', 2)`;
