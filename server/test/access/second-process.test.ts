import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeKey, rotateKey } from '../../src/credentials/index.js';
import { updateOrganization } from '../../src/organizations/index.js';
import { type Tx, transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import {
  expectWithin,
  newOrganization,
  openTestDatabase,
  startApi,
  type TestApi,
  type TestDatabase,
  type TestOrganization,
} from '../harness/index.js';

let db: TestDatabase;
let first: TestApi;
let second: TestApi;
beforeAll(async () => {
  db = await openTestDatabase();
  first = await startApi(db.database);
  second = await startApi(await db.another());
});
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await db.close();
});

const OPERATOR = 'operator@test.example';
const during = <T>({ organization }: TestOrganization, work: (tx: Tx) => Promise<T>) =>
  transact(db.database, systemPrincipal(organization.orgId, OPERATOR), work);
const statusOn = async (api: TestApi, key: string) =>
  (await api.call('GET', '/v2/whoami', undefined, key)).status;
const onBoth = (key: string) => Promise.all([statusOn(first, key), statusOn(second, key)]);

/** Calls without pause, so that the key is always cached. */
async function untilAnswered(key: string, status: number): Promise<void> {
  const startedMs = performance.now();
  await expect.poll(() => onBoth(key), { interval: 5 }).toEqual([status, status]);
  expectWithin(1_000, startedMs);
}

describe('a change of a key takes effect on every process within a second', () => {
  it('revocation', async () => {
    const org = await newOrganization(db);
    expect(await onBoth(org.key)).toEqual([200, 200]);
    await during(org, (tx) => revokeKey(tx, org.keyId));
    await untilAnswered(org.key, 401);
    expect(await onBoth(org.key)).toEqual([401, 401]);
  });

  it('rotation without overlap ends the old secret and admits the new one at once', async () => {
    const org = await newOrganization(db);
    expect(await onBoth(org.key)).toEqual([200, 200]);
    const { apiKey } = await during(org, (tx) => rotateKey(tx, org.keyId, 0));
    expect(await onBoth(apiKey)).toEqual([200, 200]);
    await untilAnswered(org.key, 401);
  });

  it('a second rotation ends the secret before the last, even within its overlap', async () => {
    const org = await newOrganization(db);
    const { apiKey: middle } = await during(org, (tx) => rotateKey(tx, org.keyId, 3_600));
    expect(await onBoth(org.key)).toEqual([200, 200]);
    const { apiKey: newest } = await during(org, (tx) => rotateKey(tx, org.keyId, 3_600));
    await untilAnswered(org.key, 401);
    expect(await onBoth(middle)).toEqual([200, 200]);
    expect(await onBoth(newest)).toEqual([200, 200]);
  });

  it('suspension of its organization, and its end', async () => {
    const org = await newOrganization(db);
    const other = await newOrganization(db);
    const set = (status: 'active' | 'suspended') =>
      updateOrganization(db.database, OPERATOR, org.organization.orgId, { status });
    expect(await onBoth(org.key)).toEqual([200, 200]);
    await set('suspended');
    await untilAnswered(org.key, 401);
    expect(await onBoth(other.key), 'others are not touched').toEqual([200, 200]);
    await set('active');
    expect(await onBoth(org.key)).toEqual([200, 200]);
  });

  it('a change of edition', async () => {
    const org = await newOrganization(db, { edition: 'ordinary' });
    const policy = async () =>
      (await second.call('GET', '/v2/whoami', undefined, org.key)).headers.get('ratelimit-policy');
    expect(await policy()).toBe('"minute";q=100;w=60');
    await updateOrganization(db.database, OPERATOR, org.organization.orgId, { edition: 'standard' });
    const changedMs = performance.now();
    await expect.poll(policy, { interval: 5 }).toBe('"minute";q=1000;w=60');
    expectWithin(1_000, changedMs);
  });
});

describe('a time limit of a key takes effect on every process at that instant', () => {
  it('expiry: valid through the last millisecond, refused in the next', async () => {
    const org = await newOrganization(db);
    const expires = '2026-11-15T12:00:00.000Z';
    const { apiKey } = await org.newKey({ expires });
    db.clock.set(expires);
    expect(await onBoth(apiKey)).toEqual([200, 200]);
    db.clock.advance(1);
    expect(await onBoth(apiKey)).toEqual([401, 401]);
  });

  it('the end of an overlap: the old secret is refused, the new one is not', async () => {
    const org = await newOrganization(db);
    const { apiKey, overlapUntil } = await during(org, (tx) => rotateKey(tx, org.keyId, 7 * 86_400));
    expect(overlapUntil.getTime() - db.clock.now().getTime()).toBe(7 * 86_400_000);
    db.clock.set(overlapUntil.toISOString());
    expect(await onBoth(org.key)).toEqual([200, 200]);
    db.clock.advance(1);
    expect(await onBoth(org.key)).toEqual([401, 401]);
    expect(await onBoth(apiKey)).toEqual([200, 200]);
  });

  it('an overlap does not outlive the expiry of the key', async () => {
    const org = await newOrganization(db);
    const expires = new Date(db.clock.now().getTime() + 3_600_000).toISOString();
    const old = await org.newKey({ expires });
    const { apiKey } = await during(org, (tx) => rotateKey(tx, old.keyId, 86_400));
    db.clock.advance(3_600_001);
    expect(await onBoth(old.apiKey)).toEqual([401, 401]);
    expect(await onBoth(apiKey)).toEqual([401, 401]);
  });
});
