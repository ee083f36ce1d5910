import type pg from 'pg';
import { StartRefused } from '../start-refused.js';
import { quoted } from './role.js';
import type { RoleLogin } from './roles.js';

type Client = Pick<pg.ClientBase, 'query'>;

/** The table with which all other tables of organizations are colocated. */
const ORGANIZATIONS = 'organizations';

const hasExtension = "select to_regclass('pg_catalog.pg_dist_partition') is not null as present";
const hasDistributedOrganizations = `
  select exists (select from pg_dist_partition where logicalrelid = to_regclass('lotward.${ORGANIZATIONS}')) as present`;

/** Whether the server spreads tables over nodes. */
export async function isCluster(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ present: boolean }>(hasExtension);
  return rows[0]?.present ?? false;
}

/**
 * Whether the rows of organizations are spread over nodes. The only query for this: a process asks once, when it opens the
 * database, and passes the answer to all its pools.
 */
export async function isDistributed(client: Client): Promise<boolean> {
  if (!(await isCluster(client))) return false;
  const { rows } = await client.query<{ present: boolean }>(hasDistributedOrganizations);
  return rows[0]?.present ?? false;
}

interface TenantTable {
  name: string;
  isDistributed: boolean;
  references: string[];
}

// Tenant tables are those whose primary key begins with the organization. Directories and accounts are looked up by other
// keys, and stay on the coordinator. Partitions follow their table.
export const tenantTables = `
  select c.relname as name,
    exists (select from pg_dist_partition d where d.logicalrelid = c.oid) as "isDistributed",
    array(select f.confrelid::regclass::text from pg_constraint f
          where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as references
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_index i on i.indrelid = c.oid and i.indisprimary
  join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
  where n.nspname = 'lotward' and c.relkind in ('r', 'p') and not c.relispartition and a.attname = 'org_id'
  order by c.relname <> '${ORGANIZATIONS}', c.relname`;

/** Tables that are still on one node, in an order in which each follows the tables that its foreign keys reference. */
async function plainTables(client: Client): Promise<{ plain: string[]; distributed: string[] }> {
  const { rows } = await client.query<TenantTable>(tenantTables);
  const waiting = new Map(rows.filter((row) => !row.isDistributed).map((row) => [row.name, row.references]));
  const plain: string[] = [];
  while (waiting.size > 0)
    for (const [name, references] of waiting) {
      if (references.some((other) => waiting.has(other))) continue;
      plain.push(name);
      waiting.delete(name);
    }
  return { plain, distributed: rows.filter((row) => row.isDistributed).map((row) => row.name) };
}

const rowsOf = async (client: Client, table: string): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(`select count(*) from lotward.${quoted(table)}`);
  return Number(rows[0]?.count);
};

/** Runs in a transaction and compares the row counts before and after. The lock excludes other changes. */
async function distributeTable(client: Client, table: string): Promise<number> {
  await client.query(`lock table lotward.${quoted(table)} in access exclusive mode`);
  const before = await rowsOf(client, table);
  await client.query("select create_distributed_table($1, 'org_id', colocate_with => $2)", [
    `lotward.${quoted(table)}`,
    table === ORGANIZATIONS ? 'none' : `lotward.${ORGANIZATIONS}`,
  ]);
  const after = await rowsOf(client, table);
  if (after !== before) throw new Error(`${table} had ${before} rows, and ${after} after it was distributed`);
  return after;
}

/** Distributes the tables that a migration has added to a distributed database, in the transaction of the migration. */
export async function distributeAdded(client: Client): Promise<void> {
  for (const table of (await plainTables(client)).plain) await distributeTable(client, table);
}

/** The handling of a cluster whose tables hold rows but are still on one node. */
export interface DistributeOptions {
  logins: readonly RoleLogin[];
  /** Distributes them. Otherwise the database stays as it is. */
  withRows?: boolean;
  onProgress?: (message: string) => void;
}

const RUN_DISTRIBUTE = 'Run "lotward migrate --distribute" while no other Lotward process runs.';

/**
 * Spreads the tenant tables over the nodes of a cluster. Each table has its own transaction, so that an interrupted run
 * continues with the next table. Does nothing on a plain PostgreSQL.
 */
export async function distribute(client: Client, options: DistributeOptions): Promise<void> {
  const { logins, withRows = false, onProgress = () => {} } = options;
  if (!(await isCluster(client))) {
    if (withRows)
      throw new StartRefused('The database has no extension "citus", so it cannot be distributed.');
    return;
  }
  const { plain, distributed } = await plainTables(client);
  if (plain.length > 0 && !withRows && (await rowsOf(client, ORGANIZATIONS)) > 0) {
    if (distributed.length > 0)
      throw new StartRefused(`The distribution of the database was interrupted. ${RUN_DISTRIBUTE}`);
    onProgress(`The database is on a Citus cluster, and its tables are on one node. ${RUN_DISTRIBUTE}`);
    return;
  }
  if (withRows) await requireAlone(client);
  for (const [i, table] of plain.entries()) {
    await client.query('begin');
    try {
      // The first table brings the schema to the other nodes, which get the rest of it in the same transaction. Citus then
      // processes one part of a table after the other.
      const isFirst = table === ORGANIZATIONS;
      if (isFirst) await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
      const rows = await distributeTable(client, table);
      if (isFirst) await shareSchema(client, logins);
      await client.query('commit');
      onProgress(`distributed ${table}: ${rows} rows (${i + 1} of ${plain.length})`);
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  }
  // Only at the end, because while a table on one node references another, the rows of the other stay next to their copies.
  if (withRows)
    for (const table of [...distributed, ...plain])
      await client.query('select truncate_local_data_after_distributing_table($1)', [
        `lotward.${quoted(table)}`,
      ]);
}

/** Gives the other nodes what was created before they joined the cluster: privileges of the roles, and functions. */
async function shareSchema(client: Client, logins: readonly RoleLogin[]): Promise<void> {
  const roles = logins.map(({ name }) => quoted(name)).join(', ');
  await client.query(`grant usage on schema lotward to ${roles}`);
  await client.query(`
    select create_distributed_function(p.oid::regprocedure) from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace and n.nspname = 'lotward'
    where not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)`);
}

/** A running process would continue as if all rows were on one node. */
async function requireAlone(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name like 'lotward %' and application_name <> 'lotward migrate'`,
  );
  if (rows.length > 0)
    throw new StartRefused(
      `Lotward is connected to the database (${rows.map((row) => row.name).join(', ')}). Stop it first.`,
    );
}

/** A role passes `SET LOCAL` to the other nodes only with this setting, and row-level security there depends on it. */
export async function letRolesSetOrganization(client: Client, logins: readonly RoleLogin[]): Promise<void> {
  if (!(await isCluster(client))) return;
  const { rows } = await client.query<{ name: string }>(
    `select r.rolname as name from pg_roles r
     where r.rolname = any($1) and not coalesce('citus.propagate_set_commands=local' = any(r.rolconfig), false)`,
    [logins.map((login) => login.name)],
  );
  for (const { name } of rows)
    await client.query(`alter role ${quoted(name)} set citus.propagate_set_commands = 'local'`);
}
