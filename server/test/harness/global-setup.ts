import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { useEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.js';
import { migrateTemplate, TEMPLATE } from './database.js';

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
  const run = openRunFolder();
  const postgres = await useEmbeddedPostgres({ dataDir: join(run.folder, 'postgres') });
  await prepare(postgres.url);
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

async function prepare(url: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  for (const [name, value] of Object.entries(SPEED))
    await admin.query(`alter system set ${name} = '${value}'`);
  await admin.query('select pg_reload_conf()');
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  await migrateTemplate(url);
}
