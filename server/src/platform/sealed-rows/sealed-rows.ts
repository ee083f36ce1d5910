import type { Statement } from '../database/index.js';
import type { SealPlace, SecretBox } from '../secrets/index.js';

/** The sealed columns of a table, as its owner describes them to those who look after all seals. */
export interface SealedRows {
  /** For people: `webhook secrets`. */
  kind: string;
  /** False for what belongs to the installation as a whole. */
  hasOrganization: boolean;
  /** Every seal that is stored, as the worker: rows of `sealed`, the beginning with version and key id, and `count`. */
  count: Statement;
  /**
   * Where rows belong to somebody whom a transaction has to enter first: all of those, as the worker, and how to enter ($1
   * id). Then `read` finds their rows only.
   */
  owners?: { list: Statement; enter: Statement };
  /**
   * A page of rows of one organization, by key, as the app: `id`, `sealed`, an array of all its seals, and possibly
   * `earlier`, another place that they may be sealed for. ($1 organization, $2 id before, $3 rows)
   */
  read: Statement;
  /** Replaces the seals of a row that still has the old ones. ($1 organization, $2 id, $3 old, $4 new) */
  replace: Statement;
  place(orgId: string, id: string): SealPlace;
}

/** The beginning of a seal: version and key id. For `count`. */
export const sealBeginning = (column: string): string =>
  `split_part(${column}, '.', 1) || '.' || split_part(${column}, '.', 2)`;

/**
 * The new seal of a column, for `replace`: null only where the old one was. In a coalesce, because a distributed database
 * breaks off at an update whose new value is a bare element of an array.
 */
export const freshSeal = (place: number, column: string): string =>
  `coalesce(($4::text[])[${place}], ${column})`;

/** Opens what is sealed for its place or, if there is one, for an earlier one. */
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
