import { randomBytes } from 'node:crypto';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifyWebhook } from '@lotward/client';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrateAsOwner } from '../../src/platform/database/index.js';
import { sendAs } from '../access/oauth-world.js';
import { codeAt, openBrowser } from '../access/people.js';
import { toLoopback } from '../access/pushes.js';
import {
  openReceiver,
  openTestDatabase,
  type Reception,
  runCommand,
  startApi,
  startWorker,
  type TestApi,
  type TestDatabase,
  testBox,
  testClock,
  withAdmin,
} from '../harness/index.js';
import { type Fixture, insertRows, loadFixture, readTables } from './rows.js';

/** The newest migration of the version that the fixture was made with. */
const LAST_BEFORE = '0015';
const MINUTE = 60_000;

/**
 * Credentials of people may move between these tables, so the test asks the service whether they still work. All other
 * tables keep every row and every column.
 */
const ASKED_OF_THE_SERVICE = new Set([
  'recovery_codes',
  'sessions',
  'sign_in_failures',
  'user_directory',
  'user_tokens',
  'users',
]);

let fixture: Fixture;
let name: string;
let loaded: Fixture['tables'];
let upgraded: Fixture['tables'];
let db: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  fixture = await loadFixture(new URL('from-0015.json.br', import.meta.url));
  const server = inject('postgresUrl');
  name = `upgrade_${randomBytes(6).toString('hex')}`;
  await withAdmin(server, (admin) => admin.query(`create database ${name}`));
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).toString();
  const migrationsDirectory = await earlierMigrations();
  await migrateAsOwner({ url, migrationsDirectory, box: testBox });
  const owner = new pg.Pool({
    connectionString: url,
    options: '-c search_path=lotward,public -c timezone=UTC',
  });
  const sql = async <R extends object>(text: string, values: unknown[] = []) =>
    (await owner.query(text, values)).rows as R[];
  await insertRows({ sql }, fixture.tables);
  loaded = await readTables({ sql });
  const migrated = await runCommand({ url }, 'migrate');
  expect(migrated.exitCode, migrated.err).toBe(0);
  upgraded = await readTables({ sql });
  await owner.end();
  db = await openTestDatabase(testClock(fixture.known.at), name);
  api = await startApi(db.database, { webhooks: toLoopback });
});
afterAll(async () => {
  await api?.close();
  await db?.drop();
  await withAdmin(inject('postgresUrl'), (admin) =>
    admin.query(`drop database if exists ${name} with (force)`),
  );
});

async function earlierMigrations(): Promise<string> {
  const all = fileURLToPath(new URL('../../migrations', import.meta.url));
  const folder = join(inject('runFolder'), name);
  await mkdir(folder);
  for (const file of await readdir(all))
    if (file.slice(0, 4) <= LAST_BEFORE) await cp(join(all, file), join(folder, file));
  return folder;
}

const parsed = (rows: readonly string[] = []) =>
  rows.map((row) => JSON.parse(row) as Record<string, unknown>);

describe('an upgrade from the version before', () => {
  it('keeps every row of every table, with all that stood in it', () => {
    expect(Object.keys(loaded)).toEqual(Object.keys(fixture.tables));
    for (const [table, rows] of Object.entries(fixture.tables)) {
      const before = parsed(rows);
      expect(parsed(loaded[table]), `${table} as it was loaded`).toEqual(before);
      if (ASKED_OF_THE_SERVICE.has(table)) continue;
      const columns = Object.keys(before[0] ?? {});
      const after = parsed(upgraded[table]).map((row) =>
        Object.fromEntries(columns.map((column) => [column, row[column]])),
      );
      const inOrder = (all: object[]) => all.map((row) => JSON.stringify(row)).sort();
      expect(inOrder(after), table).toEqual(inOrder(before));
    }
  });

  it('the audit chain and the stock ledger hold, as the commands say', async () => {
    for (const command of ['audit', 'stock']) {
      const run = await runCommand(db, command, 'verify', '--json');
      expect(run.exitCode, run.out).toBe(0);
      expect(JSON.parse(run.out).organizations).toHaveLength(3);
    }
  });

  it('every key of before is answered what it was answered before', async () => {
    for (const { key, answers } of fixture.known.organizations)
      for (const [path, before] of Object.entries(answers)) {
        const answer = await api.call('GET', path, undefined, key);
        expect(answer.status, answer.text).toBe(200);
        expect(withoutUse(answer.data), path).toMatchObject(withoutUse(before) as object);
      }
  });

  it('certificates of before cover every product, and no change of that is recorded', async () => {
    const certificates = parsed(upgraded.certificates);
    expect(certificates.length).toBeGreaterThan(2);
    expect(certificates.map(({ coverage }) => coverage)).toEqual(certificates.map(() => null));
    expect(parsed(upgraded.certificate_coverage_changes)).toEqual([]);
    const [{ key } = { key: '' }] = fixture.known.organizations;
    const { data } = await api.call<{ items: { coverage: unknown }[] }>(
      'GET',
      '/v2/certificates?limit=50',
      undefined,
      key,
    );
    expect(data.items.length).toBeGreaterThan(0);
    expect(data.items.every(({ coverage }) => coverage === null)).toBe(true);
  });

  it('what was there before is listed by its last change', async () => {
    const paths = ['recalls', 'stock/holds', 'environment/alerts', 'settings/keys', 'settings/clients'];
    for (const path of [...paths, 'settings/users', 'orders', 'certificates', 'webhooks']) {
      const [{ key } = { key: '' }] = fixture.known.organizations;
      const { status, data } = await api.call<{ items: { updatedAt: string; createdAt?: string }[] }>(
        'GET',
        `/v2/${path}?sort=updatedAt&limit=200`,
        undefined,
        key,
      );
      expect([path, status, data.items.length > 0]).toEqual([path, 200, true]);
      const changed = data.items.map(({ updatedAt }) => updatedAt);
      expect(changed).toEqual([...changed].sort());
      for (const { updatedAt, createdAt = '' } of data.items) expect(updatedAt >= createdAt).toBe(true);
    }
  });

  it('people sign in with their password and code, or a recovery code, and sessions go on', async () => {
    const { email, password, totpSecret, recoveryCodes } = fixture.known.person;
    const { cookie, email: signedIn } = fixture.known.session;
    const session = await api.call<{ user: { email: string } }>('GET', '/v2/session', undefined, undefined, {
      cookie,
    });
    expect([session.status, session.data?.user.email]).toEqual([200, signedIn]);
    // A code is good once: the one of enrolment was used.
    db.clock.advance(MINUTE);
    const browser = openBrowser(api.url);
    const entered = await browser.signIn(email, password, codeAt(totpSecret, db.clock.now()));
    expect([entered.status, entered.data?.status], entered.text).toEqual([200, 'complete']);
    const tab = openBrowser(api.url);
    expect((await tab.signIn(email, password)).data?.status).toBe('second_factor');
    const [recoveryCode] = recoveryCodes;
    const recovered = await tab.call('POST', '/v2/session/second-factor', { recoveryCode });
    expect([recovered.status, recovered.data?.status], recovered.text).toEqual([200, 'complete']);
    const wrong = await openBrowser(api.url).signIn(email, `${password}!`);
    expect(wrong.status).toBe(401);
  });

  it('apps go on with their refresh token and their secret', async () => {
    const { client, refreshToken, organizations } = fixture.known;
    const refreshed = await sendAs(api, client, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    });
    expect(refreshed.status, refreshed.text).toBe(200);
    const own = await sendAs(api, client, '/oauth/token', { grant_type: 'client_credentials' });
    expect(own.status, own.text).toBe(200);
    for (const { json } of [refreshed, own]) {
      const products = await api.call('GET', '/v2/products?limit=50', undefined, json.access_token);
      expect(products.status, products.text).toBe(200);
      expect(products.data).toMatchObject(organizations[0]?.answers['/v2/products?limit=50'] as object);
    }
  });

  it('a request that is sent again gets the response of before, with its secret', async () => {
    const { webhook, organizations } = fixture.known;
    const headers = { 'idempotency-key': webhook.idempotencyKey };
    const again = await api.call('POST', '/v2/webhooks', webhook.request, organizations[0]?.key, headers);
    expect(again.data).toMatchObject({ webhookId: webhook.webhookId, secret: webhook.secret });
  });

  it('all secrets are sealed again, and nothing is left under the old form', async () => {
    const run = await runCommand(db, 'secrets', 'reseal', '--json');
    expect(run.exitCode, run.out + run.err).toBe(0);
    const { ok, resealed, seals } = JSON.parse(run.out) as {
      ok: boolean;
      resealed: Record<string, number>;
      seals: { state: string }[];
    };
    expect(ok).toBe(true);
    expect(Object.values(resealed).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(5);
    expect(seals.every(({ state }) => state === 'current')).toBe(true);
  });

  it('pushes that were pending or had failed are delivered, signed with the secret of before, and mail goes out', async () => {
    const { webhook, organizations, pendingEvents, failedEvents } = fixture.known;
    const receiver = await openReceiver();
    const moved = await api.call(
      'PATCH',
      `/v2/webhooks/${webhook.webhookId}`,
      { callbackUrl: receiver.url('/moved') },
      organizations[0]?.key,
    );
    expect(moved.status, moved.text).toBe(200);
    db.clock.advance(60 * MINUTE);
    const worker = await startWorker(db, { webhooks: toLoopback });
    const expected = [...pendingEvents, ...failedEvents].sort();
    await expect
      .poll(() => [...new Set(receiver.at('/moved').map(eventIdOf))].sort(), { timeout: 60_000 })
      .toEqual(expected);
    for (const push of receiver.at('/moved')) await verifyPush(push, webhook.secret);
    await expect.poll(async () => (await worker.mails()).join(), { timeout: 60_000 }).toContain('#lwi_');
    await worker.stop();
    await receiver.close();
    expect(worker.complaints).toEqual([]);
  });
});

const eventIdOf = (push: Reception) => String(push.headers['webhook-id']);

const verifyPush = (push: Reception, secret: string) =>
  verifyWebhook(push.headers, push.body, secret, { now: db.clock.now().getTime() });

/** When something was last used changes by asking. */
function withoutUse(data: unknown): unknown {
  const changing = ['lastUsedAt', 'lastSeenAt'];
  return JSON.parse(JSON.stringify(data), (field, value) => (changing.includes(field) ? undefined : value));
}
