import { join } from 'node:path';
import { inject } from 'vitest';
import { type Demo, loadDemo } from '../../src/demo/index.js';
import { withAdmin } from './cluster.js';
import { openTestDatabase, TEMPLATE, type TestClock, type TestDatabase } from './database.js';

const DEMO_TEMPLATE = 'lotward_demo_template';
const LOCK = 1;

export const DEMO_ADMIN = 'admin@demo.example';

interface DemoDatabase {
  db: TestDatabase;
  demo: Demo;
  /** Where its keys and its password are kept; it belongs to all of the run. */
  keysFile: string;
}

const keysFile = () => join(inject('runFolder'), 'demo.json');

/** A database of its own with the demo organization, cloned from one that is loaded once in a run. */
export async function openDemoDatabase(clock?: TestClock): Promise<DemoDatabase> {
  await requireDemoTemplate();
  const db = await openTestDatabase(clock, DEMO_TEMPLATE);
  return { db, demo: await load(db), keysFile: keysFile() };
}

/** The demo as a process leaves it that dies after the last of its data, before there are keys or a password. */
export async function openDemoWithoutKeys(): Promise<TestDatabase> {
  await requireDemoTemplate();
  const db = await openTestDatabase(undefined, DEMO_TEMPLATE);
  await db.sql(`update instance_state set value = '{"loaded": false}' where key = 'demo'`);
  await db.sql(`delete from instance_state where key in ('demo/keys', 'demo/logins')`);
  await db.sql('delete from api_keys');
  await db.sql('update accounts set password_hash = null');
  return db;
}

/** Loads the demo, or only reads it if it is already loaded, with the keys stored beside it. */
const load = ({ database }: TestDatabase): Promise<Demo> =>
  loadDemo(database, {
    adminEmails: [DEMO_ADMIN],
    keysFile: keysFile(),
    onProgress: () => {},
  });

/** The first file that needs it loads it; others that need it meanwhile wait for the lock. */
const requireDemoTemplate = (): Promise<void> =>
  withAdmin(inject('postgresUrl'), async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [LOCK]);
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [DEMO_TEMPLATE]);
    if (rowCount !== 0) return;
    const source = await openTestDatabase(undefined, TEMPLATE);
    await load(source);
    await source.keepAs(DEMO_TEMPLATE);
  });
