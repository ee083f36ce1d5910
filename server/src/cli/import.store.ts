import { lockCatalogueStatistics } from '../catalogue/index.js';
import { lockCertificateStatistics } from '../certificates/index.js';
import { statement, type Tx } from '../platform/database/index.js';

const discardPlans = statement('discard plans');

/**
 * Statements, and the checks of foreign keys, are planned once for the table they first saw. In a transaction that
 * fills an empty table they would go on reading all of it, a little more with each row.
 */
export async function planAnew(tx: Tx): Promise<void> {
  tx.send(discardPlans, []);
}

const claim = statement(`select pg_try_advisory_xact_lock(hashtext('import'), hashtext($1)) as free`);

/** False if another file of the organization is being imported. Ends with the transaction. */
export async function claimImport(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ free: boolean }>(claim, [tx.orgId]);
  return row?.free === true;
}

/**
 * To the rest of the database the rows of a long transaction do not exist yet. Were the tables measured now, they
 * would be found full of room and empty of rows, and be planned for as such. Readers and writers do not notice. The
 * import of another organization may hold the lock already: then that one keeps the statistics.
 */
export async function keepStatistics(tx: Tx): Promise<void> {
  for (const lock of [lockCatalogueStatistics, lockCertificateStatistics])
    await tx.savepoint(() => lock(tx)).catch(unlessLocked);
}

const LOCK_NOT_AVAILABLE = '55P03';

function unlessLocked(error: unknown): void {
  if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
}
