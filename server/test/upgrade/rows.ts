import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { TestDatabase } from '../harness/index.js';
import type { Known } from './fill.js';

/** An installation as an earlier version left it: all rows of all tables, and what its users know. */
export interface Fixture {
  known: Known;
  /** The rows by table, each as the JSON text that the database gave, so that no number is rounded. */
  tables: Record<string, string[]>;
}

type Sql = Pick<TestDatabase, 'sql'>;

/** Tables of processes or of the database itself, which a migration fills anew. */
const NOT_DATA = ['schema_migrations', 'service_roles', 'leases', 'workers'];

export async function readTables({ sql }: Sql): Promise<Fixture['tables']> {
  // Partitions are read with their table.
  const names = await sql<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'lotward' and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all($1) order by c.relname`,
    [NOT_DATA],
  );
  const tables: Fixture['tables'] = {};
  for (const { name } of names) {
    const rows = await sql<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t order by 1`);
    tables[name] = rows.map(({ row }) => row);
  }
  return tables;
}

/** Without checking references between tables: they are complete, and come in any order. */
export async function insertRows({ sql }: Sql, tables: Fixture['tables']): Promise<void> {
  for (const [name, rows] of Object.entries(tables)) {
    const columns = await sql<{ column: string }>(
      `select column_name as column from information_schema.columns
       where table_schema = 'lotward' and table_name = $1 and is_generated = 'NEVER'`,
      [name],
    );
    const list = columns.map(({ column }) => `"${column}"`).join(', ');
    await sql(
      `with replica as materialized (select set_config('session_replication_role', 'replica', true))
       insert into ${name} (${list}) overriding system value
       select ${list} from replica, jsonb_populate_recordset(null::${name}, $1::jsonb)`,
      [`[${rows.join(',')}]`],
    );
  }
}

export async function saveFixture(file: string, fixture: Fixture): Promise<void> {
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  await writeFile(file, await promisify(brotliCompress)(JSON.stringify(fixture), { params }));
}

export async function loadFixture(file: URL): Promise<Fixture> {
  return JSON.parse((await promisify(brotliDecompress)(await readFile(file))).toString('utf8'));
}
