import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { inject } from 'vitest';
import { connectSlices } from '../../src/app/connect-slices.js';
import { ensureSigningKey } from '../../src/oauth/signing-keys.js';
import type { Clock } from '../../src/platform/clock/index.js';
import { type Database, openDatabase } from '../../src/platform/database/index.js';
import { type SecretBox, secretBox } from '../../src/platform/secrets/index.js';
import {
  CITUS_URL,
  copyDatabase,
  dropDatabase,
  onEveryNode,
  renameDatabase,
  urlOf,
  withAdmin,
} from './cluster.js';

export { withAdmin };

export const TEMPLATE = 'lotward_template';
export const TEST_SECRET_KEY = 'tGm4 for tests only 8vQz1LwY';
export const migrationsDirectory = fileURLToPath(new URL('../../migrations', import.meta.url));

/** A clock that advances only when a test moves it. */
export interface TestClock extends Clock {
  set(at: string): void;
  advance(ms: number): void;
}

/** When the clock of a test stands unless it says otherwise. */
export const BEGINNING = '2026-11-15T10:00:00.000Z';

export function testClock(at = BEGINNING): TestClock {
  let now = Date.parse(at);
  return {
    now: () => new Date(now),
    set: (text) => {
      now = Date.parse(text);
    },
    advance: (ms) => {
      now += ms;
    },
  };
}

export const testBox = secretBox([TEST_SECRET_KEY]);

const open = (url: string, clock: Clock) => openDatabase({ url, migrationsDirectory, box: testBox, clock });

export async function migrateTemplate(server: string): Promise<void> {
  const database = await open(urlOf(server, TEMPLATE), testClock());
  // Takes a core for a quarter of a second, which every test with OAuth would spend.
  await ensureSigningKey({ database, box: testBox });
  await database.close();
  if (CITUS_URL) await waitLongerForLocks(server);
}

/** A cluster takes several times as long for the same work, on the same cores: many callers of one record would not all get its lock in time. */
const waitLongerForLocks = (server: string): Promise<void> =>
  onEveryNode(
    server,
    ...['app', 'reader'].map((kind) => `alter role lotward_${TEMPLATE}_${kind} set lock_timeout = '8s'`),
  );

const isWaiting = "datname = current_database() and wait_event_type = 'Lock'";
const clients = CITUS_URL
  ? `(select c.global_pid as pid, c.query_start, c.application_name, c.query from citus_stat_activity c
      where not c.is_worker_query and c.global_pid in (select global_pid from citus_stat_activity where ${isWaiting})) c`
  : `(select pid, query_start, application_name, query from pg_stat_activity where ${isWaiting}) c`;
const waitingClients = `
  select pid || ' ' || query_start as one from ${clients}
  where ($1::text is null or application_name = $1) and ($2::text is null or query like '%' || $2 || '%') order by 1`;

const endClient = `select pg_terminate_backend($1::${CITUS_URL ? 'bigint' : 'integer'})`;

interface Waiting {
  application?: string;
  statement?: string;
}

export interface TestDatabase {
  database: Database;
  name: string;
  box: SecretBox;
  clock: TestClock;
  /** The owner's URL, to read and change data that the service cannot. */
  url: string;
  /** Runs SQL as the owner, past row-level security. */
  sql<R extends object>(text: string, values?: unknown[]): Promise<R[]>;
  /** The statements of clients that wait for a lock, on whichever node, each with the instant at which it began. */
  waiting(of?: Waiting): Promise<string[]>;
  /** Ends their connections. Returns them. */
  endWaiting(of?: Waiting): Promise<string[]>;
  /** Another set of pools on the same database, as a second process would have. */
  another(): Promise<Database>;
  /**
   * Closes every connection. The database stays until the run ends: dropping one writes out what all others changed. A cluster drops
   * it, because it looks for deadlocks by a process for each database, and has only so many of them.
   */
  close(): Promise<void>;
  /** Closes every connection and keeps the database under this name. */
  keepAs(other: string): Promise<void>;
  /** For one of a size that should not stay. */
  drop(): Promise<void>;
}

/** Stands before the schema of the service, for `sql`. There is none unless organizations were hidden. */
const VISIBLE = 'visible';

/** From now on `sql` sees no rows of the organizations there are: each table that has organizations is behind a view of the others. */
export async function hideOrganizations({ sql }: Pick<TestDatabase, 'sql'>): Promise<void> {
  const [found] = await sql('select from pg_namespace where nspname = $1', [VISIBLE]);
  if (!found)
    await sql(`do $$ declare name text; begin
      create schema ${VISIBLE};
      create table ${VISIBLE}.hidden (org_id text primary key);
      for name in select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
        where c.relnamespace = 'lotward'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      loop
        execute format('create view ${VISIBLE}.%I as select * from lotward.%1$I
          where org_id is null or org_id not in (select org_id from ${VISIBLE}.hidden)', name);
      end loop;
    end $$`);
  await sql(`insert into ${VISIBLE}.hidden select org_id from lotward.organizations on conflict do nothing`);
}

/** A database of its own for one test file. */
export async function openTestDatabase(
  clock: TestClock = testClock(),
  template = TEMPLATE,
): Promise<TestDatabase> {
  connectSlices();
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await copyDatabase(server, template, name);
  const url = urlOf(server, name);
  const database = await open(url, clock);
  const others: Database[] = [];
  const owner = new pg.Pool({
    connectionString: url,
    max: 2,
    options: `-c search_path=${VISIBLE},lotward,public`,
  });
  // Dropping the database ends idle connections; without a listener that would end the process.
  owner.on('error', () => {});
  const disconnect = async () => {
    await Promise.all([database, ...others].map((each) => each.close()));
    await owner.end();
  };
  const drop = async () => {
    await disconnect();
    await dropDatabase(server, name);
  };
  const sql = async <R extends object>(text: string, values: unknown[] = []) =>
    (await owner.query(text, values)).rows as R[];
  const waiting = async ({ application, statement }: Waiting = {}) => {
    const rows = await sql<{ one: string }>(waitingClients, [application ?? null, statement ?? null]);
    return rows.map(({ one }) => one);
  };
  return {
    database,
    name,
    box: testBox,
    clock,
    url,
    sql,
    waiting,
    async endWaiting(of) {
      const ended = await waiting(of);
      for (const one of ended) await sql(endClient, [one.split(' ', 1)[0]]);
      return ended;
    },
    async another() {
      const other = await open(url, clock);
      others.push(other);
      return other;
    },
    close: CITUS_URL ? drop : disconnect,
    async keepAs(other) {
      await disconnect();
      await renameDatabase(server, name, other);
    },
    drop,
  };
}
