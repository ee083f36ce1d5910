import argon2 from '@node-rs/argon2';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { newPerson } from '../../../test/access/people.js';
import {
  newOrganization,
  openTestDatabase,
  startApi,
  type TestApi,
  type TestDatabase,
  type TestOrganization,
} from '../../../test/harness/index.js';

let db: TestDatabase;
let api: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  db = await openTestDatabase();
  api = await startApi(db.database);
  org = await newOrganization(db);
});
afterAll(async () => {
  await api.close();
  await db.close();
});
afterEach(() => vi.restoreAllMocks());

const attempt = (email: string) =>
  api.call('POST', '/v2/session', { email, password: 'not the password of anybody' });

/** The password comparisons and the statements of one refused sign-in. */
async function workOf(email: string) {
  const verify = vi.spyOn(argon2, 'verify');
  const query = vi.spyOn(pg.Client.prototype, 'query');
  expect((await attempt(email)).status).toBe(401);
  const statements = query.mock.calls
    .map(([sent]) => (typeof sent === 'string' ? sent : (sent as unknown as { text?: string }).text))
    .filter((text) => text !== undefined && !/clock_timestamp/.test(text));
  // The cost parameters of the hash that the password was compared with.
  const comparisons = verify.mock.calls.map(([hash]) => String(hash).split('$').slice(0, 4).join('$'));
  vi.restoreAllMocks();
  return { comparisons, statements };
}

it('a wrong password costs the same comparison and the same statements whether or not the account exists', async () => {
  const { email } = await newPerson(db, org);
  const passwordless = await newPerson(db, org, 'viewer', null);
  // The first comparison of a process also generates the decoy hash.
  await attempt('warm-up@nowhere.example');
  const known = await workOf(email);
  expect(known.comparisons).toEqual(['$argon2id$v=19$m=19456,t=2,p=1']);
  expect(known.statements.length).toBeGreaterThan(2);
  expect(await workOf('stranger@nowhere.example')).toEqual(known);
  expect(await workOf(passwordless.email)).toEqual(known);
});
