import type { Statement } from '../database/index.js';
import type { SealPlace, SecretBox } from '../secrets/index.js';

/** The sealed columns of a table, as its owner describes them to the code that maintains all seals. */
export interface SealedRows {
  /** For people, such as `webhook secrets`. */
  kind: string;
  /** False for rows of the installation as a whole. */
  hasOrganization: boolean;
  /** All stored seals, as the worker: rows of `sealed`, the prefix with version and key id, and `count`. */
  count: Statement;
  /**
   * For rows whose owner a transaction must enter first: a list of all owners, as the worker, and how to enter one ($1 id).
   * Then `read` finds only that owner's rows.
   */
  owners?: { list: Statement; enter: Statement };
  /**
   * A page of rows of one organization, by key, as the app: `id`, `sealed`, an array of all its seals, and possibly
   * `earlier`, another place for which they may be sealed. ($1 organization, $2 id before, $3 rows)
   */
  read: Statement;
  /** Replaces the seals of a row if they are unchanged. ($1 organization, $2 id, $3 old, $4 new) */
  replace: Statement;
  place(orgId: string, id: string): SealPlace;
}

/** The prefix of a seal: version and key id. For `count`. */
export const sealBeginning = (column: string): string =>
  `split_part(${column}, '.', 1) || '.' || split_part(${column}, '.', 2)`;

/**
 * The new seal of a column, for `replace`: null only if the old one was. In a coalesce, because a distributed database
 * rejects an update whose new value is a bare array element.
 */
export const freshSeal = (place: number, column: string): string =>
  `coalesce(($4::text[])[${place}], ${column})`;

/** Opens a value sealed for its place or, if there is one, for an earlier place. */
export function openAt(
  box: SecretBox,
  sealed: string,
  place: SealPlace,
  earlier: SealPlace | null | undefined,
): string {
  if (!earlier) return box.open(sealed, place);
  try {
    return box.open(sealed, place);
  } catch {
    return box.open(sealed, earlier);
  }
}
