import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '../harness/index.js';

interface Written {
  /** The store's path below `src`. */
  file: string;
  /** The place of the statement in it. */
  place: string;
  text: string;
}

/** The store that is making a statement, and where in it. */
function origin(): Omit<Written, 'text'> {
  const stack = new Error('where').stack ?? '';
  const [, file = '', place = ''] =
    /\/server\/(?:dist|src)\/(\S+?(?:\.store|\/idempotency))\.[jt]s(\S*)/.exec(stack) ?? [];
  return { file: file && `${file}.ts`, place };
}

/** As the tests load the server: compiled or, while its code is changed on purpose, its sources. */
const loadStore = (store: string) => {
  const name = store.replace(/\.ts$/, '.js');
  return process.env.LOTWARD_TEST_SOURCES
    ? import(/* @vite-ignore */ `../../src/${name}`)
    : import(/* @vite-ignore */ new URL(`../../dist/${name}`, import.meta.url).href);
};

export const source = fileURLToPath(new URL('../../src', import.meta.url));
/** Beside the stores one part of the platform keeps something of organizations. */
const PLATFORM = 'platform/http/idempotency.ts';
export const stores: readonly string[] = [
  PLATFORM,
  ...readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.store.ts')),
].sort();

/** Every statement of every store, with those composed at run time, in a database of its own. */
export async function writtenStatements(): Promise<{ db: TestDatabase; written: Written[] }> {
  const written: Written[] = [];
  const note = (text: unknown) => {
    written.push({ ...origin(), text: String(text) });
  };
  // Before anything is loaded that makes statements: stores make theirs when they are imported, once in a process.
  subscribe('lotward:statement', note);
  const { openTestDatabase } = await import('../harness/index.js');
  const { transact } = await import('../../src/platform/database/index.js');
  const { systemPrincipal } = await import('../../src/platform/principal.js');
  const db = await openTestDatabase();
  for (const store of stores) await loadStore(store);
  // Loaded after the stores, so that what those make at once is noted as theirs.
  const { composing } = await import('./composed-statements.js');
  const nobody = systemPrincipal('org_of_nobody', 'operator@test.example');
  // One that fails has made its statement too; whether it answers rightly is for other tests.
  for (const call of composing)
    await transact(db.database, nobody, (tx) => call(tx, db.database.reader)).catch(() => undefined);
  unsubscribe('lotward:statement', note);
  return { db, written };
}
