import { afterAll, beforeAll, expect, it } from 'vitest';
import { resealAll } from '../../src/app/seals.js';
import { inviteUser } from '../../src/people/index.js';
import { transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { codeAt, enter, newPerson, openBrowser, openMailbox, PASSWORD, tokenIn } from '../access/people.js';
import { openTestService } from '../harness/index.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

const FACTOR = { purpose: 'second factor' };

/** Takes the schema back to what it was before, with the rows as the version before wrote them. */
async function takeBack(): Promise<void> {
  const { db } = service;
  const moved = ['password_hash text', 'totp_sealed text', 'totp_next_sealed text'];
  const added = [...moved, 'totp_confirmed_at timestamptz', 'totp_last_step bigint'];
  for (const statement of [
    `alter table users ${added.map((column) => `add column ${column}`).join(', ')}`,
    `alter table users add column totp_seal text, add column totp_next_seal text`,
    'create table user_directory (email text primary key, org_id text not null)',
    'insert into user_directory select email, org_id from users',
    'create table recovery_codes (org_id text, user_id text, code_hash bytea, used_at timestamptz)',
    `update users u set password_hash = a.password_hash, totp_confirmed_at = a.totp_confirmed_at,
       totp_last_step = a.totp_last_step from accounts a where a.email = u.email`,
    `insert into recovery_codes select u.org_id, u.user_id, c.code_hash, c.used_at
     from account_recovery_codes c join users u on u.email = c.email`,
  ])
    await db.sql(statement);
  const sealed = await db.sql<{ email: string; orgId: string; userId: string; sealed: string }>(
    `select a.email, u.org_id as "orgId", u.user_id as "userId", a.totp_sealed as sealed
     from accounts a join users u on u.email = a.email where a.totp_sealed is not null`,
  );
  for (const { email, orgId, userId, sealed: seal } of sealed) {
    const secret = db.box.open(seal, { ...FACTOR, orgId: null, id: email });
    const before = db.box.seal(secret, { ...FACTOR, orgId, id: userId });
    await db.sql('update users set totp_sealed = $2 where user_id = $1', [userId, before]);
  }
  for (const statement of [
    'drop table account_memberships, account_recovery_codes, accounts',
    'drop function set_account',
    'alter table sessions drop column generation',
    'alter table user_tokens drop column generation',
    'alter table oauth_artifacts drop column generation',
    "delete from schema_migrations where name like '0020%' or name like '0043%'",
  ])
    await db.sql(statement);
}

it('people sign in with the password, the second factor and the recovery codes they had; sessions and invitations go on', async () => {
  const { db, api, org } = service;
  const mailbox = await openMailbox(db);
  const admin = await newPerson(db, org, 'admin');
  const browser = openBrowser(api.url);
  const { secret, recoveryCodes } = await enter(browser, admin, db.clock.now);
  const guest = 'guest@upgrade.example';
  const operator = systemPrincipal(org.organization.orgId, 'operator@test.example');
  await transact(db.database, operator, (tx) =>
    inviteUser(tx, { email: guest, role: 'viewer' }, { box: db.box, url: () => api.url }),
  );
  const token = tokenIn((await mailbox.fetch()).find(({ to }) => to.includes(guest))?.text ?? '');
  await mailbox.close();
  // The first session was begun under a later generation than an upgrade gives: factors set up raised it.
  const later = openBrowser(api.url);
  db.clock.advance(60_000);
  await later.signIn(admin.email, PASSWORD, codeAt(secret ?? '', db.clock.now()));
  await takeBack();
  await db.another();

  expect((await later.call('GET', '/v2/whoami')).status, 'sessions go on').toBe(200);
  const signIn = () =>
    openBrowser(api.url).signIn(admin.email, PASSWORD, codeAt(secret ?? '', db.clock.now()));
  db.clock.advance(60_000);
  expect((await signIn()).data.status).toBe('complete');
  const second = openBrowser(api.url);
  expect((await second.signIn(admin.email, PASSWORD)).data.status).toBe('second_factor');
  const recoveryCode = recoveryCodes[0] ?? '';
  const recovered = await second.call('POST', '/v2/session/second-factor', { recoveryCode });
  expect(recovered.data.status).toBe('complete');
  const accepted = await api.call('POST', '/v2/invitations/accept', { token, password: PASSWORD });
  expect(accepted.status, accepted.text).toBe(200);

  const resealed = await resealAll({ database: db.database, box: db.box });
  expect(resealed).toContainEqual({ kind: 'second factors', resealed: 1, unopenable: 0 });
  expect(await db.sql('select 1 from accounts where sealed_for_user is not null')).toEqual([]);
  db.clock.advance(60_000);
  expect((await signIn()).data.status, 'bound to the account').toBe('complete');
});
