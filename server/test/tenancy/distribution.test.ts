import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/index.js';
import { addNodes, CITUS_URL, createDatabase, dropDatabase, onEveryNode, urlOf } from '../harness/cluster.js';
import { migrationsDirectory, testBox, testClock } from '../harness/database.js';
import { openTestDatabase, runCommand, type TestDatabase } from '../harness/index.js';

it.skipIf(CITUS_URL)('a database without the extension is not distributed', async () => {
  const db = await openTestDatabase();
  expect(db.database.app.isDistributed).toBe(false);
  const { err, exitCode } = await runCommand(db, 'migrate', '--distribute');
  expect(exitCode).toBe(1);
  expect(err).toContain('has no extension "citus"');
  const doctor = await runCommand(db, 'doctor');
  expect(doctor.out).toMatch(/^PostgreSQL .*, on one server\.\nNo problems found\.\n$/);
  expect(doctor.exitCode).toBe(0);
  await db.close();
});

describe.runIf(CITUS_URL)('a database with rows, on a cluster', () => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  let db: Pick<TestDatabase, 'url'>;
  let owner: pg.Client;
  beforeAll(async () => {
    const server = inject('postgresUrl');
    await onEveryNode(server, `create database ${name}`);
    db = { url: urlOf(server, name) };
    await runCommand(db, 'org', 'create', '--code', 'acme', '--name', 'Acme', '--edition', 'standard');
    await addNodes(server, name);
    owner = new pg.Client({ connectionString: db.url });
    await owner.connect();
  });
  afterAll(async () => {
    await owner?.end();
    await dropDatabase(inject('postgresUrl'), name);
  });

  const distributed = async () => {
    const { rows } = await owner.query<{ count: number }>(
      "select count(*)::integer as count from pg_dist_partition where logicalrelid::text like 'lotward.%'",
    );
    return rows[0]?.count;
  };

  it('is used as it is, and the operator learns how to distribute it', async () => {
    const { out, err } = await runCommand(db, 'org', 'list');
    expect(out).toContain('acme');
    expect(err).toContain('lotward migrate --distribute');
    expect(await distributed()).toBe(0);
  });

  it('is not distributed beside a running process', async () => {
    const service = new pg.Client({ connectionString: db.url, application_name: 'lotward app' });
    await service.connect();
    const { err, exitCode } = await runCommand(db, 'migrate', '--distribute');
    expect(exitCode).toBe(1);
    expect(err).toContain('Stop it first');
    await service.end();
  });

  it('is distributed with all its rows, which the service finds there', async () => {
    const { err, exitCode } = await runCommand(db, 'migrate', '--distribute');
    expect(err).toContain('distributed organizations: 1 rows');
    expect(exitCode).toBe(0);
    expect(await distributed()).toBeGreaterThan(50);
    expect((await runCommand(db, 'org', 'list')).out).toContain('acme');
    expect((await runCommand(db, 'audit', 'verify')).exitCode).toBe(0);
    const doctor = await runCommand(db, 'doctor');
    expect(doctor.out).toContain('No problems found.');
    expect(doctor.exitCode).toBe(0);
  });

  it('does not start while the distribution is incomplete, and continues with it', async () => {
    await owner.query("select undistribute_table('lotward.audit_heads')");
    const refused = await runCommand(db, 'org', 'list');
    expect(refused.exitCode).toBe(1);
    expect(refused.err).toContain('was interrupted');
    const doctor = await runCommand(db, 'doctor');
    expect(doctor.out).toContain('on the coordinator alone (audit_heads)');
    expect(doctor.exitCode).toBe(1);
    const { err } = await runCommand(db, 'migrate', '--distribute');
    expect(err).toMatch(/distributed audit_heads: \d+ rows \(1 of 1\)/);
    expect((await runCommand(db, 'org', 'list')).exitCode).toBe(0);
  });
});

/** A rejected receipt line each of two organizations, one of them with serial numbers, and stock on hold in one. */
const EARLIER_ROWS = ['org_1', 'org_2'].flatMap((org, i) => [
  `insert into organizations (org_id, code, name, edition, time_zone, status, created_at, updated_at, books_from)
   values ('${org}', '${org}', 'Acme', 'standard', 'UTC', 'active', '2026-01-01', '2026-01-01', '2026-01-01')`,
  `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock,
     near_expiry_days, status, created_at, updated_at)
   values ('${org}', 'P', 'prd_1', 'Stent', false, false, 'batch', 0, 90, 'active', '2026-01-01', '2026-01-01')`,
  `insert into warehouses (org_id, code, name, created_at, updated_at) values ('${org}', 'WH', 'Main', '2026-01-01', '2026-01-01')`,
  `insert into partners (org_id, code, name, roles, status, created_at, updated_at)
   values ('${org}', 'SUP', 'Maker', '{supplier}', 'active', '2026-01-01', '2026-01-01')`,
  `insert into receipts (org_id, receipt_id, receipt_no, kind, supplier_code, warehouse, status, version, created_at, created_by, updated_at,
     accepted_at, accepted_by)
   values ('${org}', 'rcp_00000000000000000000000001', 'R-1', 'purchase', 'SUP', 'WH', 'rejected', 2, '2026-01-01', 'a', '2026-01-01', '2026-01-01', 'a')`,
  `insert into receipt_lines (org_id, receipt_id, line_no, product_code, batch_no, quantity, serials, accepted_quantity, rejected_quantity,
     accepted_serials)
   values ('${org}', 'rcp_00000000000000000000000001', 1, 'P', 'B', ${i === 0 ? "3, '{S1,S2,S3}', 1, 2, '{S1}'" : "1, '{}', 0, 1, '{}'"})`,
  `insert into batches (org_id, product_code, batch_no, expiry_date, created_at)
   values ('${org}', 'P', 'B', '2028-05-01', '2026-01-01'), ('${org}', 'P', 'C', null, '2026-01-01')`,
  `insert into balances (org_id, product_code, warehouse, batch_no, quantity, reserved, held, whole_holds)
   values ('${org}', 'P', 'WH', 'B', 7, 2, 1, 0), ('${org}', 'P', 'WH', 'C', 4, 0, 0, ${i})`,
]);

describe.runIf(CITUS_URL)('a distributed database of an earlier version', () => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  afterAll(() => dropDatabase(inject('postgresUrl'), name));

  /** A folder with the migrations up to this one, the first that were run on a cluster. */
  function earlierMigrations(last: string): string {
    const folder = mkdtempSync(join(inject('runFolder'), 'migrations-'));
    for (const file of readdirSync(migrationsDirectory).filter((each) => each.slice(0, 4) <= last))
      copyFileSync(join(migrationsDirectory, file), join(folder, file));
    return folder;
  }

  it('is upgraded with its rows, and the tables that were added are distributed', async () => {
    const server = inject('postgresUrl');
    await createDatabase(server, name);
    const url = urlOf(server, name);
    const open = (directory: string) =>
      openDatabase({ url, migrationsDirectory: directory, box: testBox, clock: testClock() });
    await (await open(earlierMigrations('0022'))).close();
    const owner = new pg.Client({ connectionString: url, options: '-c search_path=lotward,public' });
    await owner.connect();
    for (const text of EARLIER_ROWS) await owner.query(text);
    await (await open(migrationsDirectory)).close();
    const registered = await owner.query('select org_id, serials, quantity from nonconformities order by 1');
    expect(registered.rows).toEqual([
      { org_id: 'org_1', serials: ['S2', 'S3'], quantity: 2 },
      { org_id: 'org_2', serials: [], quantity: 1 },
    ]);
    const tallies = await owner.query(
      `select org_id, expiry_date::text as date, total::integer, reserved::integer, held::integer, batches::integer, products::integer
       from stock_tallies order by 1, 2`,
    );
    expect(tallies.rows).toEqual(
      ['org_1', 'org_2'].flatMap((org_id, i) => [
        { org_id, date: '2028-05-01', total: 7, reserved: 2, held: 1, batches: 1, products: 0 },
        { org_id, date: 'infinity', total: 4, reserved: 0, held: 4 * i, batches: 1, products: 1 },
      ]),
    );
    const plain = await owner.query(`
      select c.relname from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where c.relnamespace = 'lotward'::regnamespace and not c.relispartition and a.attname = 'org_id'
        and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)`);
    expect(plain.rows).toEqual([]);
    await owner.end();
  });
});
