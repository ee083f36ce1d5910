import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { secretBox } from '../secrets/index.js';
import { Pool } from './pool.js';
import { requireTimeouts } from './role-limits.js';
import { ensureRoles, type RoleLogin } from './roles.js';

const name = `roles_${randomBytes(6).toString('hex')}`;
const box = secretBox(['a secret key for tests only']);
const urlAs = (user: string, password: string) => {
  const url = new URL(inject('postgresUrl'));
  Object.assign(url, { username: user, password, pathname: `/${name}` });
  return url.toString();
};

let admin: pg.Client;
let owner: pg.Client;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  // As little as an operator can give: it owns its database and may create roles.
  await admin.query(`create role ${name} login createrole password 'owner'`);
  await admin.query(`create database ${name} owner ${name}`);
  owner = new pg.Client({ connectionString: urlAs(name, 'owner') });
  await owner.connect();
});
afterAll(async () => {
  const { rows } = await owner.query<RoleLogin>('select name from lotward.service_roles');
  await owner.end();
  await admin.query(`drop database ${name} with (force)`);
  for (const role of rows) await admin.query(`drop role ${role.name}`);
  await admin.query(`drop role ${name}`);
  await admin.end();
});

async function expectLogins(logins: readonly RoleLogin[]) {
  expect(logins).toHaveLength(3);
  for (const login of logins) {
    const client = new pg.Client({ connectionString: urlAs(login.name, login.password) });
    await client.connect();
    expect((await client.query('select current_user as name')).rows).toEqual([{ name: login.name }]);
    await client.end();
  }
}

describe('the login roles, made by somebody who is no superuser', () => {
  it('come back with their passwords where a copy of the database was restored beside roles made by hand', async () => {
    const made = await ensureRoles(owner, box);
    await expectLogins(made);
    for (const login of made) await owner.query(`alter role ${login.name} nologin password null`);
    const again = await ensureRoles(owner, box);
    expect(again).toEqual(made);
    await expectLogins(again);
  });

  it('have passwords hashed as often as the server is set to', async ({ skip }) => {
    const setting = await owner.query("select current_setting('scram_iterations', true) as iterations");
    skip(setting.rows[0]?.iterations === null, 'PostgreSQL before 16 has no such setting');
    await owner.query('set scram_iterations = 7');
    const [login] = await ensureRoles(owner, box);
    await owner.query(`alter role ${login?.name} nologin`);
    await expectLogins(await ensureRoles(owner, box));
    const { rows } = await admin.query('select rolpassword as hash from pg_authid where rolname = $1', [
      login?.name,
    ]);
    expect(rows).toEqual([{ hash: expect.stringMatching(/^SCRAM-SHA-256\$7:/) }]);
  });

  it('have time limits of their own, as a pooler drops those of a connection; without them the service does not start', async () => {
    const [login] = (await ensureRoles(owner, box)) as [RoleLogin];
    const none = { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 };
    const check = async () => {
      const pool = new Pool(urlAs(login.name, login.password), 'as through a pooler', none);
      await requireTimeouts(pool, 'app').finally(() => pool.close());
    };
    await check();
    await owner.query(`alter role ${login.name} reset lock_timeout`);
    await expect(check()).rejects.toThrow(`alter role "${login.name}" set lock_timeout = '2000ms';`);
  });

  it('get new passwords where a database of the same name left them behind', async () => {
    const before = await ensureRoles(owner, box);
    await owner.query('delete from lotward.service_roles');
    const after = await ensureRoles(owner, box);
    expect(after.map((login) => login.name)).toEqual(before.map((login) => login.name));
    expect(after).not.toEqual(before);
    await expectLogins(after);
  });
});
