import { organizationRow, statement, type Tx } from '../platform/database/index.js';
import { newRowNumbers } from '../platform/ids/index.js';
import type { Kind } from './entry.js';

const insertMarks = statement(`
  insert into search_marks (org_id, mark_id, kind, key)
  select g.org_id, $4::bigint + k.place, $2, k.key from ${organizationRow('g')}, unnest($3::text[]) with ordinality as k(key, place)
  returning 1`);

/**
 * Marks records for indexing, so that their numbers, names and codes are found as they are after the transaction. Sent with
 * its next statement.
 */
export function noteSearchable(tx: Tx, kind: Kind, keys: readonly string[]): void {
  if (keys.length > 0) tx.send(insertMarks, [tx.orgId, kind, keys, newRowNumbers()]);
}
