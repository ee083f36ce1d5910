import { lockCatalogueStatistics } from '../catalogue/index.js';
import { lockCertificateStatistics } from '../certificates/index.js';
import { statement, type Tx } from '../platform/database/index.js';

const discardPlans = statement('discard plans');

/**
 * Plans of statements and foreign-key checks are cached for the table as it was first seen. In a transaction that fills an
 * empty table they would keep scanning all of it, which grows with each row.
 */
export async function planAnew(tx: Tx): Promise<void> {
  tx.send(discardPlans, []);
}

const claim = statement(`select pg_try_advisory_xact_lock(hashtext('import'), hashtext($1)) as free`);

/** False if another file of the organization is being imported. Held until the end of the transaction. */
export async function claimImport(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ free: boolean }>(claim, [tx.orgId]);
  return row?.free === true;
}

/**
 * Other sessions cannot see the rows of a long transaction. If the tables were analyzed now, they would appear large but
 * empty, and be planned for as such. Readers and writers are not blocked. If the import of another organization already
 * holds the lock, that one protects the statistics.
 */
export async function keepStatistics(tx: Tx): Promise<void> {
  for (const lock of [lockCatalogueStatistics, lockCertificateStatistics])
    await tx.savepoint(() => lock(tx)).catch(unlessLocked);
}

const LOCK_NOT_AVAILABLE = '55P03';

function unlessLocked(error: unknown): void {
  if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
}
