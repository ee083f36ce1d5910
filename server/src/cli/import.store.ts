import { lockCatalogueStatistics } from '../catalogue/index.js';
import { lockCertificateStatistics } from '../certificates/index.js';
import { statement, type Tx } from '../platform/database/index.js';

const discardPlans = statement('discard plans');

/**
 * Statements, and the checks of foreign keys, are planned once for the table they first saw. In a transaction that
 * fills an empty table they would go on reading all of it, a little more with each row.
 */
export async function planAnew(tx: Tx): Promise<void> {
  await tx.query(discardPlans, []);
}

/**
 * To the rest of the database the rows of a long transaction do not exist yet. Were the tables measured now, they
 * would be found full of room and empty of rows, and be planned for as such. Readers and writers do not notice.
 */
export async function keepStatistics(tx: Tx): Promise<void> {
  await lockCatalogueStatistics(tx);
  await lockCertificateStatistics(tx);
}
