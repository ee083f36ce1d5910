import { runImports } from '../../src/imports/index.js';
import type { TestDatabase } from '../harness/index.js';

type Must = <D>(path: string, body: object) => Promise<D>;

/** One import with a refused row, and one that no worker reads. */
export async function furnishImports({ database, sql }: TestDatabase, must: Must): Promise<void> {
  const file = { kind: 'partners', format: 'csv', content: 'code,name,roles\nIMP-1,,customer\n' };
  await must('/v2/imports', file);
  await runImports(database, {
    onError: (error) => {
      throw error;
    },
  });
  await must('/v2/imports', file);
  await sql(`update imports set due_at = 'infinity' where due_at is not null`);
}
