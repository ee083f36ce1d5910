import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { requireConfinement } from '../../src/platform/database/confinement.js';
import { Pool } from '../../src/platform/database/index.js';
import { StartRefused } from '../../src/platform/start-refused.js';
import { openTestDatabase, type TestDatabase } from '../harness/index.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

// Roles belong to the whole server, so each test makes one of its own instead of spoiling those of the service.
const made: string[] = [];
async function newRole(options = ''): Promise<string> {
  const name = `confined_${randomBytes(6).toString('hex')}`;
  await db.sql(`create role ${name} login password 'secret' ${options}`);
  made.push(name);
  return name;
}
afterEach(async () => {
  for (const name of made.splice(0).reverse()) {
    await db.sql(`reassign owned by ${name} to current_user`);
    await db.sql(`drop owned by ${name}`);
    await db.sql(`drop role ${name}`);
  }
});

async function judge(role: string): Promise<string> {
  const url = new URL(db.url);
  url.username = role;
  url.password = 'secret';
  const pool = new Pool(url.toString(), 'confinement test');
  try {
    await requireConfinement(pool);
    return 'started';
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error;
    return error.message;
  } finally {
    await pool.close();
  }
}

describe('the service starts', () => {
  it('as a role without powers', async () => {
    expect(await judge(await newRole())).toBe('started');
  });

  it.each(['superuser', 'bypassrls', 'createrole', 'createdb'])('not as a role with %s', async (power) => {
    const role = await newRole(power);
    expect(await judge(role)).toMatch(
      new RegExp(`^The database role ${role} could look past row-level security`),
    );
  });

  it('not as the owner of a table', async () => {
    const role = await newRole();
    await db.sql(`alter table movements owner to ${role}`);
    expect(await judge(role)).toContain('owns tables');
  });

  it('not as a member of the role that owns the tables', async () => {
    const owner = await newRole();
    await db.sql(`alter table movements owner to ${owner}`);
    expect(await judge(await newRole(`in role ${owner}`))).toContain('could look past');
  });

  it.each(['balances', 'accounts', 'account_recovery_codes'])(
    'not while row-level security is off on the table %s',
    async (table) => {
      const role = await newRole();
      await db.sql(`alter table ${table} disable row level security`);
      const judged = await judge(role);
      await db.sql(`alter table ${table} enable row level security`);
      expect([judged, await judge(role)]).toEqual([`Row-level security is off on: ${table}.`, 'started']);
    },
  );
});
