import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { useEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.js';
import { migrateTemplate, TEMPLATE } from './database.js';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/** One real PostgreSQL for the run, with a migrated template that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Tests start the real program: built once here, rather than by whichever of them comes first.
  const build = fileURLToPath(new URL('../../bin/build.mjs', import.meta.url));
  const built = spawnSync(process.execPath, [build], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
  const dataDir = mkdtempSync(join(tmpdir(), 'lotward-test-'));
  const postgres = await useEmbeddedPostgres({ dataDir });
  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  await migrateTemplate(postgres.url);
  project.provide('postgresUrl', postgres.url);
  return async () => {
    await postgres.release();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
