import { statement } from './statement.js';
import type { Database } from './transact.js';

const analyze = statement('select analyze_grown_tables() as name');

/** Analyzes the tables that have grown tenfold since they were analyzed, and returns their names. */
export async function analyzeGrownTables({ worker }: Pick<Database, 'worker'>): Promise<string[]> {
  const rows = await worker.query<{ name: string }>(analyze, []);
  return rows.map((row) => row.name);
}
