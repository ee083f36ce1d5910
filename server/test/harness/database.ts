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

export function testClock(at = '2026-11-15T10:00:00.000Z'): TestClock {
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
  const owner = new pg.Pool({ connectionString: url, max: 2, options: '-c search_path=lotward,public' });
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
