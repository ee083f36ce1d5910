import { Worker } from 'node:worker_threads';
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
import { isPasswordOf, rehashPassword } from './password-hash.js';

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
  const ask = vi.spyOn(Worker.prototype, 'postMessage');
  const query = vi.spyOn(pg.Client.prototype, 'query');
  expect((await attempt(email)).status).toBe(401);
  // Other services of this process have connections too.
  const statements = query.mock.calls
    .filter((_call, n) => (query.mock.contexts[n] as pg.Client).database === db.name)
    .map(([sent]) => (typeof sent === 'string' ? sent : (sent as unknown as { text?: string }).text))
    .filter((text) => text !== undefined && !/clock_timestamp/.test(text));
  // The cost parameters of the hash that the password was compared with.
  const comparisons = ask.mock.calls.map(([{ hash }]) => String(hash).split('$').slice(0, 4).join('$'));
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

it('guesses from one address leave a place for a sign-in from another', async () => {
  await attempt('warm-up@nowhere.example');
  const ask = vi.spyOn(Worker.prototype, 'postMessage');
  const guesses = Array.from({ length: 8 }, (_, n) => isPasswordOf(null, `guess ${n}`, '192.0.2.1'));
  const other = isPasswordOf(null, 'from elsewhere', '192.0.2.2');
  await expect.poll(() => ask.mock.calls.length).toBeGreaterThanOrEqual(2);
  expect(ask.mock.calls.slice(0, 2).map(([{ password }]) => password)).toEqual(['guess 0', 'from elsewhere']);
  expect(await Promise.all([...guesses, other])).toEqual(Array(9).fill(false));
});

it('after a wrong password the next comparison of its address waits, and that of another does not', async () => {
  await attempt('warm-up@nowhere.example');
  const ask = vi.spyOn(Worker.prototype, 'postMessage');
  const asked = () => ask.mock.calls.map(([{ password }]) => password);
  const hash = await rehashPassword('the right one', '192.0.2.3');
  expect(await isPasswordOf(hash, 'the right one', '192.0.2.3')).toBe(true);
  expect(await isPasswordOf(hash, 'a guess', '192.0.2.3')).toBe(false);
  const next = isPasswordOf(hash, 'the right one again', '192.0.2.3');
  const other = isPasswordOf(hash, 'the right one', '192.0.2.4');
  expect(await other).toBe(true);
  expect(asked().slice(2)).toEqual(['a guess', 'the right one']);
  expect(await next).toBe(false);
});
