import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportAllSeals, resealAll } from '../../src/app/seals.js';
import { ensureSigningKey } from '../../src/oauth/signing-keys.js';
import { transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { secretBox } from '../../src/platform/secrets/index.js';
import { createWebhook, ORGANIZATION } from '../../src/webhooks/index.js';
import {
  newOrganization,
  openTestDatabase,
  runCommandWith,
  startApi,
  TEST_SECRET_KEY,
  type TestApi,
  type TestDatabase,
  type TestOrganization,
} from '../harness/index.js';
import { enter, newPerson, openBrowser } from './people.js';

const NEW_KEY = 'Xf7pQ2mW9rTz4KcVb6Ns';
const rotated = secretBox([NEW_KEY, TEST_SECRET_KEY]);
const fresh = secretBox([NEW_KEY]);

let db: TestDatabase;
let api: TestApi;
let org: TestOrganization;
let orgId: string;
beforeAll(async () => {
  db = await openTestDatabase();
  api = await startApi(db.database);
  org = await newOrganization(db);
  orgId = org.organization.orgId;
  const admin = await newPerson(db, org, 'admin');
  const browser = openBrowser(api.url);
  await enter(browser, admin, db.clock.now);
  expect((await browser.call('POST', '/v2/settings/users', invitation)).status).toBe(200);
  await ensureSigningKey({ database: db.database, box: db.box });
  for (let i = 0; i < 5; i++) await newWebhook(`${i}`);
});
afterAll(async () => {
  await api.close();
  await db.close();
});
const invitation = { email: 'invited@test.example', role: 'viewer' };
const newWebhook = (key: string) =>
  api.call<{ webhookId: string }>(
    'POST',
    '/v2/webhooks',
    { callbackUrl: 'https://receiver.example/', eventTypes: ['order.status_changed'] },
    org.key,
    { 'idempotency-key': key },
  );
const states = async (box = rotated) => {
  const counts: Record<string, Record<string, number>> = {};
  for (const { kind, state, count } of await reportAllSeals({ database: db.database, box })) {
    counts[kind] ??= {};
    counts[kind][state] = count;
  }
  return counts;
};

describe('a stored seal', () => {
  it('copied to another row does not open there', async () => {
    const [a, b] = [(await newWebhook('a')).data.webhookId, (await newWebhook('b')).data.webhookId];
    const test = (id: string) => api.call('POST', `/v2/webhooks/${id}/test`, {}, org.key);
    expect((await test(b)).status).not.toBe(500);
    await db.sql(
      `update webhooks w set secret = a.secret from webhooks a
       where a.org_id = $1 and a.webhook_id = $2 and w.org_id = $1 and w.webhook_id = $3`,
      [orgId, a, b],
    );
    expect((await test(b)).status).toBe(500);
    await db.sql('update webhooks set deleted_at = now(), secret = $2 where webhook_id = $1', [
      b,
      db.box.seal('x', { purpose: 'webhook secret', orgId, id: b }),
    ]);
  });
});

describe('lotward secrets reseal', () => {
  it('finds everything that is sealed: no stored column has a seal that it does not know', async () => {
    const known = Object.values(await states()).reduce((sum, each) => sum + (each.stale ?? 0), 0);
    const columns = await db.sql<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = 'lotward' and data_type = 'text' and table_name <> 'service_roles'`,
    );
    let found = 0;
    for (const { table, column } of columns) {
      const [row] = await db.sql<{ count: string }>(
        `select count(*) as count from ${table} where ${column} ~ '^v[12][.][0-9a-f]{8}[.]'`,
      );
      found += Number(row?.count);
    }
    expect(found).toBeGreaterThan(15);
    expect(known).toBe(found);
  });

  it('only counts with --dry-run, and does nothing without a new key', async () => {
    const before = await states();
    const settings = { DATABASE_URL: db.url, LOTWARD_SECRET_KEY: `${NEW_KEY},${TEST_SECRET_KEY}` };
    const run = await runCommandWith(settings, 'secrets', 'reseal', '--dry-run', '--json');
    expect(JSON.parse(run.out)).toMatchObject({ ok: true, dryRun: true, resealed: {} });
    expect(await states()).toEqual(before);
    expect(Object.values(before).every((each) => each.current === undefined)).toBe(true);
    const unchanged = await resealAll({ database: db.database, box: db.box });
    expect(unchanged.every(({ resealed }) => resealed === 0)).toBe(true);
  });

  it('killed in the middle it loses nothing; run again, also twice at once, it seals the rest and opens with the new key alone', async () => {
    const interrupted = resealAll(
      { database: db.database, box: rotated },
      {
        rowsMax: 2,
        onBatch: () => {
          throw new Error('killed');
        },
      },
    );
    await expect(interrupted).rejects.toThrow('killed');
    const half = await states();
    expect(half['webhook secrets']).toMatchObject({ current: expect.any(Number), stale: expect.any(Number) });
    // The service with both keys still opens everything.
    expect((await states(fresh))['second factors']).toHaveProperty('lost');
    const store = { database: db.database, box: rotated };
    const [one, two] = await Promise.all([resealAll(store), resealAll(store)]);
    const resealed = [...one, ...two].reduce((sum, each) => sum + each.resealed, 0);
    const stale = Object.values(half).reduce((sum, each) => sum + (each.stale ?? 0), 0);
    expect(resealed).toBe(stale);
    for (const [kind, each] of Object.entries(await states(fresh)))
      expect([kind, Object.keys(each)]).toEqual([kind, ['current']]);
    // The secrets are those that were sealed: a push is signed, the repeated response is the first one.
    const again = await startApi(db.database, { box: fresh });
    const repeated = await callAgain(again);
    expect(repeated.data).toHaveProperty('secret', expect.stringMatching(/^whsec_/));
    await again.close();
  });

  it('does not overwrite what the service changes meanwhile', async () => {
    const { webhook } = await transact(db.database, systemPrincipal(orgId, 'a@test.example'), (tx) =>
      createWebhook(tx, db.box, {
        callbackUrl: 'https://receiver.example/',
        eventTypes: ['order.status_changed'],
        description: null,
        customerCode: null,
        owner: ORGANIZATION,
        secret: undefined,
      }),
    );
    const place = { purpose: 'webhook secret', orgId, id: webhook.webhookId };
    const service = new pg.Client({ connectionString: db.url, options: '-c search_path=lotward' });
    await service.connect();
    await service.query('begin');
    await service.query('update webhooks set secret = $2 where webhook_id = $1', [
      webhook.webhookId,
      fresh.seal('rotated', place),
    ]);
    // It has read the old secret, and waits to replace it.
    const resealing = resealAll({ database: db.database, box: rotated });
    await expect.poll(() => db.waiting(), { timeout: 60_000 }).toHaveLength(1);
    await service.query('commit');
    await service.end();
    await resealing;
    const [row] = await db.sql<{ secret: string }>('select secret from webhooks where webhook_id = $1', [
      webhook.webhookId,
    ]);
    expect(fresh.open(row?.secret ?? '', place)).toBe('rotated');
  });

  it('says which kind, how many and under which key, for what no key opens, and leaves it as it is', async () => {
    const lost = secretBox(['a key that nobody has any more']);
    const { data } = await newWebhook('lost');
    const sealed = lost.seal('x', { purpose: 'webhook secret', orgId, id: data.webhookId });
    await db.sql('update webhooks set secret = $2 where webhook_id = $1', [data.webhookId, sealed]);
    const settings = { DATABASE_URL: db.url, LOTWARD_SECRET_KEY: `${NEW_KEY},${TEST_SECRET_KEY}` };
    const run = await runCommandWith(settings, 'secrets', 'reseal');
    expect(run.exitCode).toBe(1);
    expect(run.out).toContain(`1 webhook secrets are sealed under key ${sealed.split('.')[1]}`);
    expect(
      await db.sql('select 1 from webhooks where webhook_id = $1 and secret = $2', [data.webhookId, sealed]),
    ).toHaveLength(1);
    await db.sql('update webhooks set deleted_at = now() where webhook_id = $1', [data.webhookId]);
  });

  it('gives seals without a place one', async () => {
    const { data } = await newWebhook('placeless');
    const before = sealedWithoutPlace(NEW_KEY, 'whsec_old');
    await db.sql('update webhooks set secret = $2 where webhook_id = $1', [data.webhookId, before]);
    await resealAll({ database: db.database, box: fresh });
    const [row] = await db.sql<{ secret: string }>('select secret from webhooks where webhook_id = $1', [
      data.webhookId,
    ]);
    expect(row?.secret).toMatch(/^v2\./);
    const place = { purpose: 'webhook secret', orgId, id: data.webhookId };
    expect(fresh.open(row?.secret ?? '', place)).toBe('whsec_old');
    expect(() => fresh.open(row?.secret ?? '', { ...place, id: 'other' })).toThrow();
  });
});

const callAgain = (on: TestApi) =>
  on.call(
    'POST',
    '/v2/webhooks',
    { callbackUrl: 'https://receiver.example/', eventTypes: ['order.status_changed'] },
    org.key,
    { 'idempotency-key': '0' },
  );

/** As earlier versions sealed. */
function sealedWithoutPlace(secret: string, plain: string): string {
  const key = createHash('sha256').update('lotward secret box\n').update(secret).digest();
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const body = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  const id = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return `v1.${id}.${iv.toString('base64url')}.${body.toString('base64url')}`;
}
