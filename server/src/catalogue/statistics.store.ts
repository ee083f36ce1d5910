import { statement, type Tx } from '../platform/database/index.js';

const keepOutAnalyze = statement(
  'lock table partners, products, device_identifiers in share update exclusive mode',
);

/** Prevents ANALYZE of the tables until the transaction ends, without blocking readers or writers. */
export async function lockCatalogueStatistics(tx: Tx): Promise<void> {
  tx.send(keepOutAnalyze, []);
}
