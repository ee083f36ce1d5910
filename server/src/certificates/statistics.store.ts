import { statement, type Tx } from '../platform/database/index.js';

const keepOutAnalyze = statement('lock table certificates in share update exclusive mode');

/** Keeps the table from being analyzed until the transaction ends. Readers and writers do not wait. */
export async function lockCertificateStatistics(tx: Tx): Promise<void> {
  tx.send(keepOutAnalyze, []);
}
