import { statement, type Tx } from '../platform/database/index.js';

const discardPlans = statement('discard plans');

/**
 * Statements, and the checks of foreign keys, are planned once for the table they first saw. In a transaction that
 * fills an empty table they would go on reading all of it, a little more with each row.
 */
export async function planAnew(tx: Tx): Promise<void> {
  await tx.query(discardPlans, []);
}
