import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { inject } from 'vitest';
import type { Clock } from '../../src/platform/clock/index.js';
import { type Database, openDatabase } from '../../src/platform/database/index.js';
import { type SecretBox, secretBox } from '../../src/platform/secrets/index.js';

export const TEMPLATE = 'lotward_template';
export const TEST_SECRET_KEY = 'a secret key for tests only';
const migrationsDirectory = fileURLToPath(new URL('../../migrations', import.meta.url));

/** A clock that stands still until it is moved. */
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

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.toString();
}

export const testBox = secretBox([TEST_SECRET_KEY]);

const open = (url: string, clock: Clock) => openDatabase({ url, migrationsDirectory, box: testBox, clock });

export async function migrateTemplate(server: string): Promise<void> {
  const database = await open(urlOf(server, TEMPLATE), testClock());
  await database.close();
}

export interface TestDatabase {
  database: Database;
  box: SecretBox;
  clock: TestClock;
  /** The owner's address: for looking at, and tampering with, what the service cannot. */
  url: string;
  /** Runs SQL as the owner, past row-level security. */
  sql<R extends object>(text: string, values?: unknown[]): Promise<R[]>;
  /** Another set of pools on the same database, as a second process would have. */
  another(): Promise<Database>;
  drop(): Promise<void>;
}

/** A database of its own for one test file. */
export async function openTestDatabase(clock: TestClock = testClock()): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const asAdmin = async (text: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  await asAdmin(`create database ${name} template ${TEMPLATE}`);
  const url = urlOf(server, name);
  const database = await open(url, clock);
  const others: Database[] = [];
  const owner = new pg.Pool({ connectionString: url, max: 2, options: '-c search_path=lotward,public' });
  return {
    database,
    box: testBox,
    clock,
    url,
    sql: async <R extends object>(text: string, values: unknown[] = []) =>
      (await owner.query(text, values)).rows as R[],
    async another() {
      const other = await open(url, clock);
      others.push(other);
      return other;
    },
    async drop() {
      await Promise.all([database, ...others].map((each) => each.close()));
      await owner.end();
      await asAdmin(`drop database ${name} with (force)`);
    },
  };
}
