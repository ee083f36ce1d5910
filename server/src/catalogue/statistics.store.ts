import { statement, type Tx } from '../platform/database/index.js';

const keepOutAnalyze = statement(
  'lock table partners, products, device_identifiers in share update exclusive mode',
);

/** Keeps the tables from being analyzed until the transaction ends. Readers and writers do not wait. */
export async function lockCatalogueStatistics(tx: Tx): Promise<void> {
  await tx.query(keepOutAnalyze, []);
}
