import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rotateKey } from '../../src/credentials/index.js';
import { transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import {
  type Answer,
  countingLimiter,
  fullTier,
  newOrganization,
  openTestDatabase,
  startApi,
  type TestApi,
  type TestDatabase,
} from '../harness/index.js';

let db: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  db = await openTestDatabase();
  api = await startApi(db.database, { limiter: countingLimiter(db.clock) });
});
afterAll(async () => {
  await api.close();
  await db.close();
});
// A window of its own for each test: the address of all failing credentials is the same.
beforeEach(() => db.clock.advance(120_000));

const whoami = (key: string) => api.call('GET', '/v2/whoami', undefined, key);

/** Makes so many calls, some at a time, and returns the responses. */
async function calls(count: number, call: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) {
    const some = Math.min(50, count - answers.length);
    answers.push(...(await Promise.all(Array.from({ length: some }, call))));
  }
  return answers;
}
const statuses = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))];

describe('requests of a credential', () => {
  const EDITIONS = [
    ['ordinary', 100],
    ['standard', 1_000],
  ] as const;
  it.each(fullTier ? EDITIONS : EDITIONS.slice(0, 1))(
    'an organization of edition %s has %i a minute, and the next response says when to retry',
    async (edition, limit) => {
      const { key } = await newOrganization(db, { edition });
      expect(statuses(await calls(limit, () => whoami(key)))).toEqual([200]);
      db.clock.advance(20_500);
      const refused = await whoami(key);
      expect(refused).toMatchObject({ status: 429, code: 1005, reason: 'rate_limited', data: null });
      expect(refused.json.message).toBe('request rate limit exceeded');
      expect(refused.headers.get('retry-after')).toBe('40');
      expect(refused.headers.get('ratelimit-policy')).toBe(`"minute";q=${limit};w=60`);
      expect(refused.headers.get('ratelimit')).toBe('"minute";r=0;t=40');
      db.clock.advance(39_499);
      expect((await whoami(key)).status, 'the last moment of the window').toBe(429);
      db.clock.advance(1);
      const again = await whoami(key);
      expect(again.status).toBe(200);
      expect(again.headers.get('ratelimit'), 'refused ones were not counted').toBe(
        `"minute";r=${limit - 1};t=60`,
      );
    },
  );

  it('every response states what is left of the window, even if the request is refused', async () => {
    const { newKey } = await newOrganization(db);
    const { apiKey } = await newKey({ scopes: ['products:read'] });
    const readRateLimit = async (method: string, path: string) =>
      (await api.call(method, path, undefined, apiKey)).headers.get('ratelimit');
    expect(await readRateLimit('GET', '/v2/products')).toBe('"minute";r=999;t=60');
    db.clock.advance(59_001);
    expect(await readRateLimit('GET', '/v2/products/none')).toBe('"minute";r=998;t=1');
    expect(await readRateLimit('POST', '/v2/stock/transfers')).toBe('"minute";r=997;t=1');
    expect(await readRateLimit('GET', '/v2/products?limit=0')).toBe('"minute";r=996;t=1');
  });

  it('a response that is saved by its tag counts, too', async () => {
    const { key } = await newOrganization(db);
    const first = await api.call('GET', '/v2/products', undefined, key);
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    const saved = await api.call('GET', '/v2/products', undefined, key, headers);
    expect([saved.status, saved.headers.get('ratelimit')]).toEqual([304, '"minute";r=998;t=60']);
  });

  it('two keys of one organization have separate limits', async () => {
    const { key, newKey } = await newOrganization(db, { edition: 'ordinary' });
    const { apiKey: other } = await newKey();
    await calls(100, () => whoami(key));
    expect((await whoami(key)).status).toBe(429);
    expect((await whoami(other)).headers.get('ratelimit')).toBe('"minute";r=99;t=60');
  });

  it('both secrets of a rotated key share one count', async () => {
    const { key, keyId, organization } = await newOrganization(db, { edition: 'ordinary' });
    await calls(60, () => whoami(key));
    const { apiKey: next } = await transact(
      db.database,
      systemPrincipal(organization.orgId, 'operator@test.example'),
      (tx) => rotateKey(tx, keyId, 3_600),
    );
    expect(statuses(await calls(40, () => whoami(next)))).toEqual([200]);
    expect(statuses([await whoami(next), await whoami(key)])).toEqual([429]);
  });

  it('of 110 at once exactly 100 pass', async () => {
    const { key } = await newOrganization(db, { edition: 'ordinary' });
    const answers = await Promise.all(Array.from({ length: 110 }, () => whoami(key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  it('public paths are neither counted nor limited', async () => {
    const answer = await api.call('GET', '/v2/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ratelimit')).toBeNull();
  });
});

describe('failing credentials of an address', () => {
  it.each([
    ['none', undefined],
    ['a mistyped one', 'lw_mistyped'],
  ])(
    'after 100 a minute (%s) further failing ones are refused with 429, a valid one never',
    async (_what, bad) => {
      const { key } = await newOrganization(db);
      const fail = () => api.call('GET', '/v2/whoami', undefined, bad);
      expect(statuses(await calls(100, fail))).toEqual([401]);
      const refused = await fail();
      expect(refused).toMatchObject({ status: 429, code: 1005, reason: 'rate_limited' });
      expect(refused.headers.get('retry-after')).toBe('60');
      expect(statuses(await calls(50, () => whoami(key)))).toEqual([200]);
      db.clock.advance(60_000);
      expect((await fail()).status).toBe(401);
    },
  );

  it('malformed requests where no credential is needed are counted like wrong credentials', async () => {
    const sent = (body: unknown) => api.call('POST', '/v2/session', body);
    expect(statuses(await calls(100, () => sent({ email: 1 })))).toEqual([400]);
    expect(await sent({ email: 1 })).toMatchObject({ status: 429, reason: 'rate_limited' });
    expect((await sent('x'.repeat(20_000))).status).toBe(429);
    expect((await api.call('GET', '/v2/openapi.json')).status).toBe(200);
    db.clock.advance(60_000);
    expect((await sent({ email: 1 })).status).toBe(400);
  });

  it('are counted per address, IPv6 per /64 network', async () => {
    const fail = async (remoteAddress: string) =>
      (await api.app.inject({ method: 'GET', url: '/v2/whoami', remoteAddress })).statusCode;
    for (let i = 0; i < 100; i++) expect(await fail(`2001:db8:0:1::${i.toString(16)}`)).toBe(401);
    expect(await fail('2001:db8:0:1:ffff:ffff:ffff:ffff')).toBe(429);
    expect(await fail('2001:db8:0:2::1')).toBe(401);
    expect(await fail('203.0.113.7')).toBe(401);
  });
});
