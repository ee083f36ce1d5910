import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { addNodes, CITUS_URL, dropDatabase, onEveryNode, urlOf } from '../harness/cluster.js';
import { openTestDatabase, runCommand, type TestDatabase } from '../harness/index.js';

it.skipIf(CITUS_URL)('a database without the extension is not distributed', async () => {
  const db = await openTestDatabase();
  expect(db.database.app.isDistributed).toBe(false);
  const { err, exitCode } = await runCommand(db, 'migrate', '--distribute');
  expect(exitCode).toBe(1);
  expect(err).toContain('has no extension "citus"');
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
  });

  it('does not start while the distribution is incomplete, and continues with it', async () => {
    await owner.query("select undistribute_table('lotward.audit_heads')");
    const refused = await runCommand(db, 'org', 'list');
    expect(refused.exitCode).toBe(1);
    expect(refused.err).toContain('was interrupted');
    const { err } = await runCommand(db, 'migrate', '--distribute');
    expect(err).toMatch(/distributed audit_heads: \d+ rows \(1 of 1\)/);
    expect((await runCommand(db, 'org', 'list')).exitCode).toBe(0);
  });
});
