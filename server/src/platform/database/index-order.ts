import { statement } from './statement.js';
import type { Tx } from './transact.js';

const withoutSorting = statement('set local enable_sort = off');

/**
 * Has the next N of a backlog read in the order of their index, for the rest of the transaction. A planner whose
 * statistics know of no backlog would rather collect and sort it, which reads all of it for every batch.
 */
export async function readInIndexOrder(tx: Tx): Promise<void> {
  await tx.query(withoutSorting, []);
}
