import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { SecretBox } from '../secrets/index.js';
import { StartRefused } from '../start-refused.js';
import { connectClient } from './connect.js';
import { distribute, distributeAdded, isDistributed, letRolesSetOrganization } from './distribution.js';
import { type ClusterHealth, examineCluster } from './examine-cluster.js';
import { quoted } from './role.js';
import { ensureRoles, type RoleLogin } from './roles.js';
import type { Servers } from './servers.js';
import { splitStatements } from './split-statements.js';

const VERSION_MIN = 150_000;
/** An arbitrary number that all Lotward processes share. */
const MIGRATION_LOCK = 7_203_114;

export interface MigrationResult {
  logins: RoleLogin[];
  applied: string[];
  isDistributed: boolean;
}

/** Brings the schema up to date. Safe to call from any number of processes at once. */
export async function migrate(options: {
  servers: Servers;
  directory: string;
  box: SecretBox;
  /** Inspects the server before anything is changed; throws to prevent the migration. */
  inspect?: (client: pg.ClientBase) => Promise<void>;
  /** Distributes the tables of a cluster even if they hold rows. */
  distribute?: boolean;
  onProgress?: (message: string) => void;
}): Promise<MigrationResult> {
  const client = await connectOrRefuse(options.servers);
  try {
    await requireVersion(client);
    await options.inspect?.(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const logins = await ensureRoles(client, options.box);
    await client.query('set search_path = lotward, public');
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null)`);
    await letRolesSetOrganization(client, logins);
    const wasDistributed = await isDistributed(client);
    const applied: string[] = [];
    for (const file of await pending(client, options.directory)) {
      options.onProgress?.(`migration ${file.name}`);
      await apply(client, file, logins, wasDistributed);
      applied.push(file.name);
    }
    await distribute(client, {
      logins,
      withRows: options.distribute ?? false,
      onProgress: options.onProgress ?? (() => {}),
    });
    return { logins, applied, isDistributed: await isDistributed(client) };
  } finally {
    await client.end();
  }
}

const RUN_MIGRATE = 'Run "lotward migrate" with DATABASE_MIGRATION_URL, the login of the owner, first.';

/**
 * For a service without the owner's login: refuses a database whose schema does not match this program. Returns whether it
 * is distributed.
 */
export async function requireMigrated(options: {
  servers: Servers;
  directory: string;
  inspect?: (client: pg.ClientBase) => Promise<void>;
}): Promise<boolean> {
  const client = await connectOrRefuse(options.servers);
  try {
    await requireVersion(client);
    await options.inspect?.(client);
    const missing = await pendingOrRefuse(client, options.directory);
    if (missing.length > 0)
      throw new StartRefused(
        `The database lacks ${missing.map(({ name }) => name).join(', ')}. ${RUN_MIGRATE}`,
      );
    return await isDistributed(client);
  } finally {
    await client.end();
  }
}

export interface Examination {
  server: string;
  /** Migrations that this program has and the database lacks. */
  missing: string[];
  /** Null on a plain PostgreSQL. */
  cluster: ClusterHealth | null;
}

/** Inspects a database as its owner and changes nothing. */
export async function examine(options: { servers: Servers; directory: string }): Promise<Examination> {
  const client = await connectOrRefuse(options.servers);
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    const missing = await pendingOrRefuse(client, options.directory);
    return {
      server: rows[0]?.server_version ?? '',
      missing: missing.map(({ name }) => name),
      cluster: await examineCluster(client),
    };
  } finally {
    await client.end();
  }
}

/** No such table, no such schema, and no privilege. */
const UNPREPARED = ['42P01', '3F000', '42501'];

const pendingOrRefuse = (client: pg.Client, directory: string): Promise<MigrationFile[]> =>
  pending(client, directory).catch((error: { code?: string }) => {
    if (UNPREPARED.includes(error.code ?? ''))
      throw new StartRefused(`The database is not set up. ${RUN_MIGRATE}`);
    throw error;
  });

async function connectOrRefuse(servers: Servers): Promise<pg.Client> {
  try {
    return await connectClient(servers, { application_name: 'lotward migrate' });
  } catch (error) {
    throw new StartRefused(
      `The database cannot be reached: ${error instanceof Error ? error.message : error}`,
    );
  }
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  if (Number(rows[0]?.server_version_num) < VERSION_MIN) {
    throw new StartRefused('Lotward needs PostgreSQL 15 or later.');
  }
}

interface MigrationFile {
  name: string;
  text: string;
  checksum: string;
}

/**
 * Checksums of texts with the same effect that could not run on a distributed database. They were changed before they were
 * released.
 */
const EARLIER_CHECKSUMS: Readonly<Record<string, string>> = {
  '0025_quality.sql': '9da507aad26f4f7fa5ef1fdda998d5f1ef46a78c4c16ee7454795e21cfff448c',
  '0029_versions.sql': 'e461f9957dcef4a7a98d30563a9386493e51dc4f8b49eec59f030c82019b0c5d',
  '0030_webhook_filters.sql': '211b2519bb0a134e81b950ca7e0d686f5e792b16477bed77e4ac1d4a30c3d3fb',
  '0038_preferences.sql': 'a60297407d50961b588b232160f6a3beee8cca9ddbee13a6b9fe309f540b5838',
};

async function pending(client: pg.Client, directory: string): Promise<MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort();
  if (names.length === 0) throw new Error(`no migrations in ${directory}`);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from lotward.schema_migrations',
  );
  const ahead = rows.find((row) => !names.includes(row.name));
  if (ahead) {
    throw new StartRefused(
      `The database is newer than this program (it has ${ahead.name}): start the newer one.`,
    );
  }
  const files: MigrationFile[] = [];
  for (const name of names) {
    const text = await readFile(join(directory, name), 'utf8');
    const checksum = createHash('sha256').update(text).digest('hex');
    const done = rows.find((row) => row.name === name);
    if (done && done.checksum !== checksum && done.checksum !== EARLIER_CHECKSUMS[name]) {
      throw new StartRefused(
        `Migration ${name} was changed after it was applied; restore it and add a new one.`,
      );
    }
    if (!done) files.push({ name, text, checksum });
  }
  return files;
}

const CREATES_TABLE = /^create table /m;
/** Possible only before the table is distributed. */
const SETS_STORAGE = /^alter table \w+ alter column \w+ set storage /m;

async function apply(
  client: pg.Client,
  file: MigrationFile,
  logins: readonly RoleLogin[],
  onCluster: boolean,
): Promise<void> {
  let sql = file.text;
  for (const login of logins) sql = sql.replaceAll(`{{${login.kind}}}`, quoted(login.name));
  await client.query('begin');
  try {
    let isAdded = false;
    for (const text of splitStatements(sql)) {
      // As early as possible, because the statement may reference the new table from a distributed one.
      if (isAdded && !SETS_STORAGE.test(text)) await distributeAdded(client);
      isAdded = onCluster && (CREATES_TABLE.test(text) || (isAdded && SETS_STORAGE.test(text)));
      await client.query(text);
    }
    if (isAdded) await distributeAdded(client);
    await client.query('insert into schema_migrations values ($1, $2, now())', [file.name, file.checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${file.name} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}
