import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  callApi,
  newOrganization,
  openTestDatabase,
  runCommandWith,
  startCommandWith,
  TEST_SECRET_KEY,
  type TestDatabase,
} from '../harness/index.js';
import { startLotwardHere } from './lotward-process.js';

type Urls = Record<'DATABASE_APP_URL' | 'DATABASE_READER_URL' | 'DATABASE_WORKER_URL', string>;

let db: TestDatabase;
let urls: Urls;
beforeAll(async () => {
  db = await openTestDatabase();
  const settings = { DATABASE_MIGRATION_URL: db.url, LOTWARD_SECRET_KEY: TEST_SECRET_KEY };
  const run = await runCommandWith(settings, 'migrate', '--show-urls', '--json');
  urls = (JSON.parse(run.out) as { urls: Urls }).urls;
});
afterAll(() => db.close());

const environment = (given: Partial<Urls> = urls): Record<string, string> => ({
  LOTWARD_SECRET_KEY: TEST_SECRET_KEY,
  PORT: '0',
  ...given,
});
const queryAs = async (url: string, sql: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(sql).finally(() => client.end());
};
const refusalOf = (given: Partial<Urls>, ...args: string[]) =>
  runCommandWith({ LOTWARD_SECRET_KEY: TEST_SECRET_KEY, ...given }, ...args);

describe('a service with the logins of its roles only', () => {
  it('answers requests, and a worker does its work', async () => {
    const org = await newOrganization(db);
    const usersOfService = async () => {
      const users = await db.sql<{ name: string }>(
        `select distinct usename::text as name from pg_stat_activity
         where datname = $1 and application_name like 'lotward %' and pid <> pg_backend_pid()`,
        [db.name],
      );
      return users.map(({ name }) => name);
    };
    const [owner] = await db.sql<{ name: string }>('select current_user::text as name');
    const expectNoOwner = async () => {
      const users = await usersOfService();
      expect(users.length).toBeGreaterThan(1);
      expect(users).not.toContain(owner?.name);
    };
    const api = await startLotwardHere('api', environment());
    try {
      const put = await callApi(api.url, 'PUT', '/v2/warehouses/W-1', { name: 'One' }, org.key);
      expect(put.status).toBe(200);
      await expectNoOwner();
    } finally {
      expect(await api.stop()).toBe(0);
    }
    const worker = startCommandWith({ ...environment(), LOG_LEVEL: 'silent' }, 'worker');
    try {
      const sealed = () =>
        db.sql(`select 1 from audit_entries where entity_id = 'W-1' and position is not null`);
      await expect.poll(sealed, { timeout: 60_000 }).toHaveLength(1);
      await expectNoOwner();
    } finally {
      expect(await worker.stop()).toBe(0);
    }
  });

  it.each(Object.keys({ app: 1, reader: 1, worker: 1 }) as ('app' | 'reader' | 'worker')[])(
    'cannot define anything as %s, nor read past it',
    async (kind) => {
      const url = urls[`DATABASE_${kind.toUpperCase()}_URL` as keyof Urls];
      for (const sql of [
        'create table lotward.mine (a int)',
        'create schema mine',
        'alter table lotward.users disable row level security',
        'drop table lotward.audit_entries',
        'select password_sealed from lotward.service_roles',
        "update lotward.schema_migrations set checksum = ''",
      ])
        await expect(queryAs(url, sql), sql).rejects.toThrow(/permission denied|must be owner/);
      // The other roles are no further away than for a stranger.
      for (const other of ['app', 'reader', 'worker'].filter((each) => each !== kind)) {
        const [role] = await db.sql<{ name: string }>('select name from service_roles where kind = $1', [
          other,
        ]);
        await expect(queryAs(url, `set role "${role?.name}"`)).rejects.toThrow('permission denied');
      }
      if (kind === 'app') expect((await queryAs(url, 'select 1 from lotward.users')).rows).toEqual([]);
      else
        await expect(queryAs(url, 'select password_hash from lotward.accounts')).rejects.toThrow(
          'permission',
        );
    },
  );

  it('does not start with the login of another role, of the owner, or beside the owner’s', async () => {
    const swapped = { ...urls, DATABASE_APP_URL: urls.DATABASE_WORKER_URL };
    expect((await refusalOf(swapped, 'org', 'list')).err).toContain('that of the role worker');
    const owned = { ...urls, DATABASE_APP_URL: db.url };
    expect((await refusalOf(owned, 'org', 'list')).err).toContain('could look past row-level security');
    const both = { ...urls, DATABASE_URL: db.url };
    expect((await refusalOf(both, 'org', 'list')).err).toContain('DATABASE_URL must not be given with');
    const { DATABASE_READER_URL: _, ...two } = urls;
    expect((await refusalOf(two, 'org', 'list')).err).toContain('must be given together');
    const owner = { DATABASE_MIGRATION_URL: db.url } as never;
    expect((await refusalOf(owner, 'org', 'list')).err).toContain('is for "lotward migrate" alone');
  });

  it('does not start on a database that is behind, and says who has to migrate it', async () => {
    const [last] = await db.sql<{ name: string; checksum: string }>(
      'delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, checksum',
    );
    const run = await refusalOf(urls, 'org', 'list');
    expect(run.err).toContain(
      `The database lacks ${last?.name}. Run "lotward migrate" with DATABASE_MIGRATION_URL`,
    );
    await db.sql('insert into schema_migrations values ($1, $2, now())', [last?.name, last?.checksum]);
    expect((await refusalOf(urls, 'org', 'list')).exitCode).toBe(0);
  });
});

it('the owner’s login as DATABASE_URL still works, with a notice', async () => {
  const api = startCommandWith({ ...environment({}), DATABASE_URL: db.url, LOG_LEVEL: 'silent' }, 'api');
  const printed = () => api.said.out + api.said.err;
  await expect.poll(printed, { timeout: 60_000 }).toContain('Lotward is ready.');
  expect(printed()).toContain('Notice: DATABASE_URL is the login of the database owner.');
  expect(await api.stop()).toBe(0);
});
