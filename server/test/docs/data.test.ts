import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../harness/index.js';
import { repository } from './guide.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

/** The names in the second column of the tables in this part of the page. */
function listed(): string[] {
  const page = readFileSync(join(repository, 'docs/security/data.md'), 'utf8');
  const [, part = ''] = page.split('## Tables');
  return part.split('\n').flatMap((line) => line.split('|')[2]?.match(/`\w+`/g) ?? []);
}

it('the page about data lists every table of the database once', async () => {
  // A partition has the rows of its table.
  const tables = await db.sql<{ name: string }>(
    `select '\`' || c.relname || '\`' as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'lotward' and c.relkind in ('r', 'p') and (not c.relispartition or c.relname = 'readings_rest')`,
  );
  expect(listed().sort()).toEqual(tables.map(({ name }) => name).sort());
});
