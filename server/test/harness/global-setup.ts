import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { CITUS_URL, createDatabase, dropDatabase, withAdmin } from './cluster.js';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    /** Holds everything this run writes; removed with it. */
    runFolder: string;
  }
}

const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Nothing in this database outlives the run, so nothing has to reach the disk. Tests of crashes have their own. */
const SPEED = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  checkpoint_timeout: '30min',
  autovacuum: 'off',
  // Hundreds of connections sign in.
  scram_iterations: '1',
};

/** One real PostgreSQL for the run, with a migrated template that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const finished = failUnlessFinished();
  // Tests start the real program, so it is built once here.
  const built = spawnSync(process.execPath, [beside('../../bin/build.mjs')], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
  // Not before: they load what was built.
  const { useEmbeddedPostgres } = await import('../../src/platform/embedded-postgres/index.js');
  const { migrateTemplate, TEMPLATE } = await import('./database.js');
  const run = openRunFolder();
  const postgres = CITUS_URL
    ? await useCluster(CITUS_URL)
    : await useEmbeddedPostgres({ dataDir: join(run.folder, 'postgres') });
  if (!CITUS_URL) await hurry(postgres.url);
  await createDatabase(postgres.url, TEMPLATE);
  await migrateTemplate(postgres.url);
  project.provide('postgresUrl', postgres.url);
  project.provide('runFolder', run.folder);
  return async () => {
    finished();
    await postgres.release();
    await run.remove();
  };
}

/** When a worker ends without a word, the run ends too: without a summary, and as if everything had passed. */
function failUnlessFinished(): () => void {
  const fail = () => {
    console.error('The run ended before all tests had run.');
    process.exitCode = 1;
  };
  process.once('exit', fail);
  return () => process.off('exit', fail);
}

const MEMORY = '/dev/shm';
const ROOM_BYTES = 6 * 2 ** 30;

/**
 * The run creates hundreds of databases, each of a thousand small files. In memory that takes a tenth of the time; null where
 * there is too little of it, or where a program copied there could not be started.
 */
function memoryFolder(): string | null {
  try {
    const mount = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, place]) => place === MEMORY);
    const { bavail, bsize } = statfsSync(MEMORY);
    const hasRoom = Math.min(bavail * bsize, freemem()) >= ROOM_BYTES;
    return hasRoom && mount?.[3] && !mount[3].split(',').includes('noexec') ? MEMORY : null;
  } catch {
    // Not on Linux.
    return null;
  }
}

/** A folder for all temporary files of the run, and a process that removes it however the run ends. */
function openRunFolder(): { folder: string; remove(): Promise<void> } {
  const usual = tmpdir();
  const folder = mkdtempSync(join(memoryFolder() ?? usual, 'lotward-test-'));
  // The account that runs PostgreSQL passes through it.
  chmodSync(folder, 0o711);
  const caretaker = spawn(process.execPath, [beside('caretaker.mjs'), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const ended = once(caretaker, 'exit');
  caretaker.unref();
  // Inherited by the processes that run the tests. What is kept from run to run stays where it was.
  process.env.LOTWARD_TEST_CACHE ??= usual;
  process.env.TMPDIR = folder;
  return {
    folder,
    async remove() {
      process.env.TMPDIR = usual;
      caretaker.ref();
      caretaker.stdin.end();
      await ended;
    },
  };
}

const hurry = (url: string): Promise<void> =>
  withAdmin(url, async (admin) => {
    for (const [name, value] of Object.entries(SPEED))
      await admin.query(`alter system set ${name} = '${value}'`);
    await admin.query('select pg_reload_conf()');
  });

/** A cluster outlives the run, so what the run creates there is dropped: at its end, or before the next one begins. */
async function useCluster(url: string): Promise<{ url: string; release(): Promise<void> }> {
  const release = () =>
    withAdmin(url, async (admin) => {
      const { rows } = await admin.query<{ name: string }>(
        "select datname as name from pg_database where datname ~ '^(test_[0-9a-f]{12}|lotward(_demo)?_template)$'",
      );
      for (const { name } of rows) await dropDatabase(url, name);
    });
  await release();
  return { url, release };
}
