import { afterAll, beforeAll, expect, it } from 'vitest';
import { newPerson, PASSWORD } from '../../../test/access/people.js';
import {
  newOrganization,
  newSession,
  openTestDatabase,
  startApi,
  type TestApi,
  type TestDatabase,
  type TestOrganization,
} from '../../../test/harness/index.js';
import { recordRefusedSignIns } from '../index.js';

const MINUTE = 60_000;
let db: TestDatabase;
let api: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  db = await openTestDatabase();
  api = await startApi(db.database, { trustedProxies: ['127.0.0.1'] });
  org = await newOrganization(db);
});
afterAll(async () => {
  await api.close();
  await db.close();
});

const attempt = (email: string, password: string, address = '192.0.2.1') =>
  api.call('POST', '/v2/session', { email, password }, undefined, {
    'x-forwarded-for': address,
    'x-forwarded-proto': 'https',
  });
const entriesOf = async (userId: string, key = org.key) =>
  (
    await api.call<{ items: { after: unknown; actor: string }[] }>(
      'GET',
      `/v2/audit?action=session.refuse&entityId=${userId}`,
      undefined,
      key,
      { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' },
    )
  ).data.items;

it('refused sign-ins of a quarter of an hour become one audit entry of the account, with counts and addresses', async () => {
  const person = await newPerson(db, org);
  for (let i = 0; i < 3; i++) {
    expect((await attempt(person.email, 'not the password', `192.0.2.${i % 2}`)).status).toBe(401);
    db.clock.advance(MINUTE);
  }
  expect((await attempt(person.email, PASSWORD)).status).toBe(200);
  await recordRefusedSignIns(db.database);
  expect(await entriesOf(person.userId)).toEqual([]);
  db.clock.advance(16 * MINUTE);
  // Two workers at once.
  await Promise.all([recordRefusedSignIns(db.database), recordRefusedSignIns(db.database)]);
  const entries = await entriesOf(person.userId);
  expect(entries.map((entry) => entry.after)).toEqual([
    {
      passwords: 3,
      codes: 0,
      confirmations: 0,
      addresses: ['192.0.2.0', '192.0.2.1'],
      firstAt: '2026-11-15T10:00:00.000Z',
      lastAt: '2026-11-15T10:02:00.000Z',
    },
  ]);
  expect(await db.sql('select 1 from refused_sign_ins')).toEqual([]);
});

it('no number of attempts and addresses makes more than one row for an account and 64 for all unknown ones', async () => {
  const person = await newPerson(db, org);
  for (let i = 0; i < 24; i++) {
    await db.sql('delete from sign_in_failures');
    expect((await attempt(person.email, 'not the password', `198.51.100.${i}`)).status).toBe(401);
  }
  const [row, ...more] = await db.sql<{ passwords: number; addresses: string[] }>(
    'select passwords, addresses from refused_sign_ins',
  );
  expect(more).toEqual([]);
  expect([row?.passwords, row?.addresses.length]).toEqual([24, 10]);
  for (let i = 0; i < 3; i++)
    expect((await attempt(`stranger${i}@nowhere.example`, 'x', `203.0.113.${i}`)).status).toBe(401);
  db.clock.advance(32 * MINUTE);
  const unknown = await recordRefusedSignIns(db.database);
  expect(unknown.map(({ refused, addresses }) => [refused, addresses.sort()])).toEqual([
    [3, ['203.0.113.0', '203.0.113.1', '203.0.113.2']],
  ]);
  expect(JSON.stringify(unknown)).not.toContain('stranger');
  expect(await recordRefusedSignIns(db.database)).toEqual([]);
  await expect(
    db.sql(
      `insert into unknown_sign_ins (shard, window_start, refused, addresses) values (64, now(), 1, '{}')`,
    ),
  ).rejects.toThrow('shard_check');
});

it('wrong codes and wrong confirmations of a password are counted as such, for this organization only', async () => {
  const admin = await newPerson(db, org, 'admin');
  const waiting = await newSession(db, org.organization.orgId, { person: admin, state: 'second_factor' });
  const complete = await newSession(db, org.organization.orgId, { person: admin });
  const near = await startApi(db.database);
  const code = await near.call(
    'POST',
    '/v2/session/second-factor',
    { code: '000000' },
    undefined,
    waiting.headers,
  );
  expect(code.reason).toBe('code_refused');
  const confirmation = await near.call(
    'POST',
    '/v2/session/recovery-codes',
    { password: 'wrong' },
    undefined,
    complete.headers,
  );
  expect(confirmation.reason).toBe('password_wrong');
  await near.close();
  db.clock.advance(32 * MINUTE);
  await recordRefusedSignIns(db.database);
  expect((await entriesOf(admin.userId)).map((entry) => entry.after)).toMatchObject([
    { passwords: 0, codes: 1, confirmations: 1, addresses: ['127.0.0.1'] },
  ]);
  const other = await newOrganization(db);
  expect(await entriesOf(admin.userId, other.key)).toEqual([]);
});
