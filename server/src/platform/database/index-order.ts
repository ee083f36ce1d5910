import { statement } from './statement.js';
import type { Tx } from './transact.js';

const withoutSorting = statement('set local enable_sort = off');

/**
 * Makes the planner read the next N rows of a backlog in index order, for the rest of the transaction. With statistics from
 * before the backlog it would sort all of it for every batch.
 */
export async function readInIndexOrder(tx: Tx): Promise<void> {
  tx.send(withoutSorting, []);
}
