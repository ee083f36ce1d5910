import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/index.js';
import { openTestDatabase, type TestDatabase, testBox } from '../harness/index.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

it('only notifications and migrations go past the pooler, with the logins of the service', async () => {
  const migrationsDirectory = fileURLToPath(new URL('../../migrations', import.meta.url));
  const withName = (name: string) => {
    const url = new URL(db.url);
    url.searchParams.set('application_name', name);
    return url.toString();
  };
  const nobody = withName('direct').replace(/\/\/[^@]*@/, '//nobody@');
  const url = withName('pooled');
  const database = await openDatabase({ url, directUrl: nobody, migrationsDirectory, box: testBox });
  try {
    const heard = new Promise((resolve) => database.announcer.listen('events', resolve));
    // Null: it listens, and may have missed something before.
    expect(await heard).toBeNull();
    const sessions = await db.sql<{ name: string; query: string }>(
      `select application_name as name, query from pg_stat_activity
       where datname = current_database() and application_name in ('direct', 'pooled') and usename like '%worker'`,
    );
    const direct = sessions.filter(({ name }) => name === 'direct');
    expect(direct.map(({ query }) => query)).toEqual(['listen lotward']);
    expect(sessions.length).toBeGreaterThan(1);
    expect(sessions.filter(({ name, query }) => name === 'pooled' && query.startsWith('listen'))).toEqual([]);
  } finally {
    await database.close();
  }
});
