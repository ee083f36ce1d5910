import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newClient, userTokens } from '../../../test/access/oauth-world.js';
import {
  countingLimiter,
  newOrganization,
  newSession,
  openTestService,
  startApi,
  type TestOrganization,
} from '../../../test/harness/index.js';
import { requestLogTrimmer } from './trim-request-log.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

interface Logged {
  requestId: string;
  callerRequestId: string | null;
  at: string;
  kind: string;
  credentialId: string;
  method: string;
  path: string;
  route: string;
  status: number;
  code: number;
  reason: string | null;
  remedy: string | null;
  errors: { path: string | null; reason: string; message: string }[];
  durationMs: number;
  requestBytes: number;
  responseBytes: number | null;
  count: number;
}
type Page = { items: Logged[]; nextCursor: string | null };
type Api = Awaited<ReturnType<typeof startApi>>;

/** Calls made in `work` are in the log afterwards: a process writes the rest when it stops. */
async function logged(work: (api: Api) => Promise<unknown>, options: Parameters<typeof startApi>[1] = {}) {
  const api = await startApi(service.db.database, options);
  await work(api).finally(() => api.close());
}
async function read(query: string, key: string, headers: Record<string, string> = {}): Promise<Page> {
  const answer = await service.call<Page>(
    'GET',
    `/v2/requests${query}`,
    undefined,
    key === '' ? undefined : key,
    headers,
  );
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}
const insert = (org: TestOrganization, rows: { at: string; status: number; id: string; of?: string }[]) =>
  Promise.all(
    rows.map(({ at, status, id, of }) =>
      service.db.sql(
        `insert into credential_requests values ($1, 'api_key', $2, $3, $4, null, null, 'GET', '/v2/x', '/v2/x', $5, null, null, 1, 0, 1, 1)`,
        [org.organization.orgId, of ?? org.keyId, at, id, status],
      ),
    ),
  );

describe('what is logged', () => {
  it('a failed call with its reason, its errors and what to do; a success; both with sizes and ids', async () => {
    const org = await newOrganization(service.db);
    const body = { productName: 'Gloves', colour: 'blue' };
    let refusedId = '';
    await logged(async (api) => {
      const ours = { 'x-request-id': 'order-sync-17' };
      const refused = await api.call('PUT', '/v2/products/GLOVE-1?x=secret', body, org.key, ours);
      expect(refused.status).toBe(400);
      refusedId = refused.headers.get('x-lotward-request-id') ?? '';
      await api.call('GET', '/v2/whoami', undefined, org.key);
    });
    const { items } = await read('?until=2026-11-15T10:00:01Z', org.key);
    const [success, failure] = items[0]?.path === '/v2/whoami' ? items : [...items].reverse();
    expect(failure).toMatchObject({
      requestId: refusedId,
      callerRequestId: 'order-sync-17',
      ...{ kind: 'api_key', credentialId: org.keyId, method: 'PUT' },
      ...{ path: '/v2/products/GLOVE-1', route: '/v2/products/{id}', status: 400, code: 1001 },
      reason: expect.stringMatching(/unknown_(field|parameter)/),
      remedy: expect.stringMatching(/^Remove it or correct its spelling/),
      requestBytes: JSON.stringify(body).length,
      count: 1,
    });
    expect(failure?.errors[0]?.reason).toBe(failure?.reason);
    expect(success).toMatchObject({
      ...{ method: 'GET', path: '/v2/whoami', status: 200, code: 0, reason: null, remedy: null, errors: [] },
      ...{ requestBytes: 0, callerRequestId: null },
    });
    expect(success?.responseBytes).toBeGreaterThan(50);
    for (const id of [refusedId, 'order-sync-17'])
      expect((await read(`?requestId=${id}`, org.key)).items).toEqual([failure]);
  });

  it('a refusal that was stored under an Idempotency-Key, and its replay, with the reason', async () => {
    const org = await newOrganization(service.db);
    const order = { orderNo: 'SO-1', customerCode: 'NOBODY', warehouse: 'NONE', currency: 'EUR' };
    const lines = [{ lineNo: 1, productCode: 'NONE', quantity: 1, unitPrice: '1.00' }];
    await logged(async (api) => {
      for (let i = 0; i < 2; i++)
        await api.call('POST', '/v2/orders', { ...order, lines }, org.key, { 'idempotency-key': 'once' });
    });
    const { items } = await read('?method=POST', org.key);
    expect(items.map(({ reason }) => reason)).toEqual(['unknown_reference', 'unknown_reference']);
    expect(items[0]?.errors.length).toBeGreaterThan(1);
  });

  it('no secret, wherever it stood in the request', async () => {
    const org = await newOrganization(service.db);
    await logged(async (api) => {
      await api.call('GET', `/v2/products/${org.key}`, undefined, org.key);
      await api.call('GET', `/v2/products?key=${org.key}`, undefined, org.key);
      await api.call('PUT', '/v2/products/P-1', { productName: 'X', [org.key]: 1 }, org.key);
    });
    const { items } = await read('', org.key);
    expect(items).toHaveLength(3);
    expect(JSON.stringify(items)).not.toContain(org.key);
    expect(items.map(({ path }) => path).sort()).toEqual([
      '/v2/products',
      '/v2/products/***',
      '/v2/products/P-1',
    ]);
    const stored = await service.db.sql(
      'select r::text as row from credential_requests r where org_id = $1',
      [org.organization.orgId],
    );
    expect(JSON.stringify(stored)).not.toContain(org.key);
  });

  it('nothing for a caller without a valid credential', async () => {
    const org = await newOrganization(service.db);
    const wrong = `${org.key.slice(0, -4)}aaaa`;
    await logged(async (api) => {
      expect((await api.call('GET', '/v2/whoami', undefined, wrong)).status).toBe(401);
      expect((await api.call('GET', '/v2/whoami')).status).toBe(401);
      expect((await api.call('GET', '/v2/nowhere', undefined, org.key)).status).toBe(404);
    });
    expect((await read('', org.key)).items).toEqual([]);
  });

  it('a flood over the rate limit as one entry with a count, and calls from an address that is not allowed', async () => {
    const org = await newOrganization(service.db, { edition: 'ordinary' });
    const elsewhere = await org.newKey({ allowList: ['192.0.2.1/32'] });
    await logged(
      async (api) => {
        for (let i = 0; i < 130; i++) await api.call('GET', '/v2/whoami', undefined, org.key);
        await api.call('GET', '/v2/whoami', undefined, elsewhere.apiKey);
      },
      { limiter: countingLimiter(service.db.clock) },
    );
    const { items } = await read('?status=4xx', org.key);
    const counts = items.map(({ reason, count, credentialId }) => [reason, count, credentialId]);
    expect(counts.filter(([reason]) => reason === 'address_not_allowed')).toEqual([
      ['address_not_allowed', 1, elsewhere.keyId],
    ]);
    const limited = items.filter(({ status }) => status === 429);
    expect(limited.reduce((sum, { count }) => sum + count, 0)).toBe(30);
    // A flush may come in between.
    expect(limited.length).toBeLessThanOrEqual(2);
    expect(limited[0]?.remedy).toMatch(/Retry-After/);
  });

  it('of people at the console only failures', async () => {
    const org = await newOrganization(service.db);
    const person = await newSession(service.db, org.organization.orgId);
    await logged(async (api) => {
      await api.call('GET', '/v2/whoami', undefined, undefined, person.headers);
      await api.call('GET', '/v2/products/none', undefined, undefined, person.headers);
    });
    expect((await read('', org.key)).items).toMatchObject([
      { kind: 'console', credentialId: person.userId, reason: 'not_found' },
    ]);
  });
});

describe('who sees it', () => {
  it('a credential its own requests; one with settings:read those of all; nobody those of another organization', async () => {
    const [org, other] = [await newOrganization(service.db), await newOrganization(service.db)];
    const reader = await org.newKey({ scopes: ['products:read'] });
    const at = '2026-11-15T09:00:00Z';
    await insert(org, [
      { at, status: 404, id: 'req_a' },
      { at, status: 404, id: 'req_b', of: reader.keyId },
    ]);
    await insert(other, [{ at, status: 404, id: 'req_c' }]);
    const ids = async (query: string, key: string) =>
      (await read(`${query}${query ? '&' : '?'}until=2026-11-15T09:30:00Z`, key)).items.map(
        (r) => r.requestId,
      );
    expect(await ids('', org.key)).toEqual(['req_b', 'req_a']);
    expect(await ids(`?credentialId=${reader.keyId}`, org.key)).toEqual(['req_b']);
    expect(await ids('', reader.apiKey)).toEqual(['req_b']);
    expect(await ids(`?credentialId=${reader.keyId}`, reader.apiKey)).toEqual(['req_b']);
    const ask = (query: string, key: string) => service.call('GET', `/v2/requests${query}`, undefined, key);
    expect(await ask(`?credentialId=${org.keyId}`, reader.apiKey)).toMatchObject({
      ...{ status: 403, reason: 'scope_missing' },
    });
    expect(await ask(`?credentialId=${other.keyId}`, org.key)).toMatchObject({ status: 404 });
    expect((await service.call('GET', '/v2/requests', undefined, 'lw_none')).status).toBe(401);
  });

  it('a customer-bound credential only its own', async () => {
    const org = await newOrganization(service.db);
    const partner = { name: 'City hospital', roles: ['customer'] };
    expect((await service.call('PUT', '/v2/partners/HOSP-1', partner, org.key)).status).toBe(200);
    const bound = await org.newKey({ scopes: ['orders:read'], customerCode: 'HOSP-1' });
    const at = '2026-11-15T09:00:00Z';
    await insert(org, [
      { at, status: 404, id: 'req_a' },
      { at, status: 404, id: 'req_b', of: bound.keyId },
    ]);
    const own = await read('?until=2026-11-15T09:30:00Z', bound.apiKey);
    expect(own.items.map(({ requestId }) => requestId)).toEqual(['req_b']);
    const answer = await service.call(
      'GET',
      `/v2/requests?credentialId=${org.keyId}`,
      undefined,
      bound.apiKey,
    );
    expect(answer).toMatchObject({ status: 403, reason: 'customer_bound' });
  });

  it('people who share an OAuth client see only what it did for them', async () => {
    const org = await newOrganization(service.db);
    const { orgId } = org.organization;
    const people = [
      await newSession(service.db, orgId, { role: 'viewer' }),
      await newSession(service.db, orgId, { role: 'viewer' }),
    ];
    const client = await newClient(service.db, org);
    const tokens: string[] = [];
    for (const person of people) tokens.push((await userTokens(service.api, client, person)).access);
    const row = (userId: string | null, id: string) =>
      service.db.sql(
        `insert into credential_requests values ($1, 'oauth', $2, '2026-11-15T09:00:00Z', $3, $4, null, 'GET', '/v2/x', '/v2/x', 404, null, null, 1, 0, 1, 1)`,
        [orgId, client.clientId, id, userId],
      );
    await row(people[0]?.userId ?? '', 'req_first');
    await row(people[1]?.userId ?? '', 'req_second');
    await row(null, 'req_itself');
    const seen = [];
    for (const token of tokens)
      seen.push(...(await read('?until=2026-11-15T09:30:00Z', token)).items.map((r) => r.requestId));
    expect(seen).toEqual(['req_first', 'req_second']);
  });
});

describe('the list', () => {
  it('is read page by page, newest first, by each filter', async () => {
    const org = await newOrganization(service.db);
    const key = (await org.newKey({ scopes: ['products:read'] })).apiKey;
    await logged(async (api) => {
      await api.call('GET', '/v2/products', undefined, key);
      await api.call('GET', '/v2/products/none', undefined, key);
      await api.call('GET', '/v2/orders', undefined, key);
      await api.call('POST', '/v2/orders', {}, key);
    });
    // The calls of the test itself come later, so that they are on none of the pages.
    service.db.clock.advance(60_000);
    const until = `until=${new Date(service.db.clock.now().getTime() - 30_000).toISOString()}`;
    const all = (await read(`?${until}`, key)).items;
    expect(all).toHaveLength(4);
    expect(all).toEqual([...all].sort((a, b) => (a.at + a.requestId < b.at + b.requestId ? 1 : -1)));
    const paged: Logged[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Page = await read(`?limit=1&${until}${cursor ? `&cursor=${cursor}` : ''}`, key);
      paged.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(all);
    const found = async (query: string) =>
      (await read(`?${query}&${until}`, key)).items
        .map(({ method, path, status }) => `${method} ${path} ${status}`)
        .sort();
    expect(await found('status=2xx')).toEqual(['GET /v2/products 200']);
    expect(await found('status=404&status=403&method=GET')).toEqual([
      'GET /v2/orders 403',
      'GET /v2/products/none 404',
    ]);
    expect(await found('status=4xx&path=/v2/products')).toEqual(['GET /v2/products/none 404']);
    expect(await found('method=POST')).toEqual(['POST /v2/orders 403']);
    expect(await found('reason=scope_missing&method=GET')).toEqual(['GET /v2/orders 403']);
    expect(await found('since=2030-01-01T00:00:00Z')).toEqual([]);
    expect((await read('?until=2020-01-01T00:00:00Z', key)).items).toEqual([]);
  });

  it.each([
    ['status=6xx', 'bad_format'],
    ['status=40', 'bad_format'],
    ['method=FROB', 'not_allowed'],
    ['since=yesterday', 'bad_format'],
    ['limit=0', 'out_of_range'],
    ['cursor=xyz', 'bad_cursor'],
    [`cursor=${Buffer.from('["requests","no instant","req_1"]').toString('base64url')}`, 'bad_cursor'],
    ['secret=x', 'unknown_parameter'],
  ])('refuses %s: %s', async (query, reason) => {
    expect(await service.call('GET', `/v2/requests?${query}`)).toMatchObject({ status: 400, reason });
  });
});

it('keeps the newest of each credential and failures of seven days, and removes the rest of every organization', async () => {
  const orgs = [await newOrganization(service.db), await newOrganization(service.db)];
  const nowMs = service.db.clock.now().getTime();
  const ago = (hours: number) => new Date(nowMs - hours * 3_600_000).toISOString();
  const rows = [1, 2, 3, 4].flatMap((hours) => [
    { at: ago(hours), status: 200, id: `req_s${hours}` },
    { at: ago(hours), status: 404, id: `req_f${hours}` },
  ]);
  const old = [
    { at: ago(169), status: 404, id: 'req_old', of: 'quiet' },
    { at: ago(169), status: 200, id: 'req_kept', of: 'quiet' },
    { at: ago(2_161), status: 200, id: 'req_ancient', of: 'quiet' },
  ];
  for (const org of orgs) await insert(org, [...rows, ...old]);
  const trim = requestLogTrimmer(service.db.database, { successes: 2, failures: 3 });
  const left = async (org: TestOrganization | undefined) =>
    (
      await service.db.sql<{ id: string }>(
        'select request_id as id from credential_requests where org_id = $1 order by 1',
        [org?.organization.orgId],
      )
    ).map(({ id }) => id);
  await trim({ rowsMax: 1 });
  const kept = ['req_f1', 'req_f2', 'req_f3', 'req_kept', 'req_s1', 'req_s2'];
  for (const org of orgs) expect(await left(org)).toEqual(kept);
  // The next run looks only at credentials that were used since.
  await insert(orgs[0] as TestOrganization, [{ at: ago(0), status: 200, id: 'req_s0' }]);
  await insert(orgs[1] as TestOrganization, [{ at: ago(1), status: 200, id: 'req_late' }]);
  await trim();
  expect(await left(orgs[0])).toEqual(kept.map((id) => (id === 'req_s2' ? 'req_s0' : id)).sort());
  expect(await left(orgs[1])).toEqual([...kept, 'req_late'].sort());
});
