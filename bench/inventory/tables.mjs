/*
 * Databases filled with the records of the bench, on one embedded PostgreSQL.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createKey } from '../../server/dist/credentials/index.js';
import { createOrganization } from '../../server/dist/organizations/index.js';
import { openDatabase, transact } from '../../server/dist/platform/database/index.js';
import { migrate } from '../../server/dist/platform/database/migrate.js';
import { Servers } from '../../server/dist/platform/database/servers.js';
import { useEmbeddedPostgres } from '../../server/dist/platform/embedded-postgres/index.js';
import { systemPrincipal } from '../../server/dist/platform/principal.js';
import { secretBox } from '../../server/dist/platform/secrets/index.js';
import {
  BATCHES,
  KEYS_PER_ORGANIZATION,
  ORGANIZATIONS,
  organizationOf,
  productCode,
  sql,
  WAREHOUSES,
} from './records.mjs';

const migrationsDirectory = fileURLToPath(new URL('../../server/migrations', import.meta.url));
const OPERATOR = 'operator@bench.example';

/** The server's own embedded PostgreSQL, with its own settings, in a folder that is removed on close. */
export async function openServer() {
  const dataDir = mkdtempSync(join(tmpdir(), 'lotward-bench-'));
  const postgres = await useEmbeddedPostgres({ dataDir });
  return {
    url: postgres.url,
    postmaster: Number(
      readFileSync(join(homeOf(dataDir), 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
    ),
    async close() {
      await postgres.release();
      rmSync(homeOf(dataDir), { recursive: true, force: true });
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The folder of the database, which is elsewhere when run as root. */
function homeOf(dataDir) {
  try {
    return readFileSync(join(dataDir, 'postgres-location'), 'utf8').trim();
  } catch {
    return dataDir;
  }
}

/** Creates a database with this many products; returns what a server needs to open it, and what the load generator requests. */
export async function fillDatabase(server, name, products) {
  const made = await newDatabase(server, name, ['inventory:read']);
  await load(made.url, made.organizations, products);
  return { ...made, products };
}

/** Creates a migrated database of organizations that have only keys with the given scopes. */
export async function newDatabase(server, name, scopes) {
  await query(server.url, `create database ${name}`);
  const own = new URL(server.url);
  own.pathname = `/${name}`;
  const url = own.toString();
  const secretKey = randomBytes(32).toString('base64');
  const box = secretBox([secretKey]);
  const { logins } = await migrate({ servers: Servers.parse(url), directory: migrationsDirectory, box });
  const reader = logins.find((login) => login.kind === 'reader');
  own.username = reader.name;
  own.password = encodeURIComponent(reader.password);
  const database = await openDatabase({ url, migrationsDirectory, box });
  try {
    const organizations = [];
    for (let i = 0; i < ORGANIZATIONS; i++)
      organizations.push(await newOrganization(database, `bench-${i}`, scopes));
    return { url, secretKey, readerUrl: own.toString(), organizations };
  } finally {
    await database.close();
  }
}

async function newOrganization(database, code, scopes) {
  const { orgId } = await createOrganization(database, OPERATOR, { code, name: code, edition: 'standard' });
  const keys = [];
  for (let i = 0; i < KEYS_PER_ORGANIZATION; i++) {
    const key = { name: `bench ${i}`, scopes, owner: OPERATOR };
    const { apiKey } = await transact(database, systemPrincipal(orgId, OPERATOR), (tx) => createKey(tx, key));
    keys.push(apiKey);
  }
  return { orgId, keys };
}

/** As the owner and without foreign-key checks, for speed: the rows satisfy them. */
async function load(url, organizations, products) {
  const numbers = Array.from({ length: products }, (_, n) => n);
  const orgIds = organizations.map(({ orgId }) => orgId);
  await query(
    url,
    "set search_path = lotward, public; set session_replication_role = 'replica'",
    ['create temporary table numbered (n int, org_id text, code text)'],
    [
      'insert into numbered select * from unnest($1::int[], $2::text[], $3::text[])',
      [numbers, numbers.map((n) => orgIds[organizationOf(n)]), numbers.map(productCode)],
    ],
    [
      `insert into warehouses (org_id, code, name, created_at, updated_at)
       select o, 'WH-' || w, 'Warehouse ' || w, now(), now()
       from unnest($1::text[]) o, generate_series(1, ${WAREHOUSES}) w`,
      [orgIds],
    ],
    [
      `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking,
        safety_stock, near_expiry_days, status, created_at, updated_at)
      select org_id, code, 'prd_' || n, 'Product ' || n, true, false, 'batch', 0, 90, 'active', now(), now()
      from numbered`,
    ],
    [
      `insert into batches (org_id, product_code, batch_no, expiry_date, created_at)
      select org_id, code, ${sql.batchNo}, ${sql.expiry}, now()
      from numbered, generate_series(1, ${BATCHES}) batch`,
    ],
    [
      `insert into balances (org_id, product_code, warehouse, batch_no, quantity, reserved)
      select org_id, code, ${sql.warehouse}, ${sql.batchNo}, ${sql.quantity}, (${sql.quantity}) / 10
      from numbered, generate_series(1, ${BATCHES}) batch`,
    ],
    ['vacuum (analyze) products, batches, balances, warehouses, organizations, api_keys'],
  );
}

async function query(url, first, ...more) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(first);
    for (const [text, values] of more) await client.query(text, values);
  } finally {
    await client.end();
  }
}
