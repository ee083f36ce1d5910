import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  countingLimiter,
  newOrganization,
  newSession,
  openTestService,
  startApi,
} from '../../../test/harness/index.js';
import { removeOldUsage } from './remove-old-usage.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

interface Counts {
  requests: number;
  clientErrors: number;
  serverErrors: number;
  limited: number;
}
type Series = { items: ({ at: string } & Counts)[] };
type Summary = { items: { kind: string; credentialId: string; lastDay: Counts; lastWeek: Counts }[] };

const USAGE = '/v2/settings/usage';
const counted = (counts: Partial<Counts>): Counts => ({
  requests: 0,
  clientErrors: 0,
  serverErrors: 0,
  limited: 0,
  ...counts,
});
async function read<D>(path: string, key = service.org.key): Promise<D> {
  const answer = await service.call<D>('GET', path, undefined, key);
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}
const happened = ({ items }: Series) => items.filter(({ requests }) => requests > 0);

it('what a key did is counted once by each process, by the hour and by how it was answered', async () => {
  const org = await newOrganization(service.db, { edition: 'ordinary' });
  const { apiKey, keyId } = await org.newKey({ scopes: ['products:read'], allowList: ['127.0.0.1/32'] });
  const limiter = countingLimiter(service.db.clock);
  const apis = [
    await startApi(service.db.database, { limiter }),
    await startApi(await service.db.another(), { limiter }),
  ];
  for (const api of apis) {
    expect((await api.call('GET', '/v2/products', undefined, apiKey)).status).toBe(200);
    expect((await api.call('GET', '/v2/products/none', undefined, apiKey)).status).toBe(404);
    expect((await api.call('GET', '/v2/orders', undefined, apiKey)).status).toBe(403);
  }
  service.db.clock.advance(3_601_000);
  for (let i = 0; i < 101; i++) await apis[0]?.call('GET', '/v2/products?limit=1', undefined, apiKey);
  // Counts are written at the latest when a process stops.
  await Promise.all(apis.map((api) => api.close()));
  expect(happened(await read<Series>(`${USAGE}?credentialId=${keyId}`, org.key))).toEqual([
    { at: '2026-11-15T10:00:00.000Z', ...counted({ requests: 6, clientErrors: 4 }) },
    { at: '2026-11-15T11:00:00.000Z', ...counted({ requests: 101, limited: 1 }) },
  ]);
});

it('a call from an address that is not allowed, and of a session, are counted too', async () => {
  const org = await newOrganization(service.db);
  const { orgId } = org.organization;
  const { apiKey, keyId } = await org.newKey({ allowList: ['192.0.2.1/32'] });
  const person = await newSession(service.db, orgId);
  const again = await newSession(service.db, orgId, { person });
  const api = await startApi(service.db.database);
  expect((await api.call('GET', '/v2/whoami', undefined, apiKey)).status).toBe(403);
  for (const { headers } of [person, again])
    expect((await api.call('GET', '/v2/whoami', undefined, undefined, headers)).status).toBe(200);
  const { cookie } = person.headers;
  expect((await api.call('PATCH', '/v2/settings', {}, undefined, { cookie })).status).toBe(403);
  await api.close();
  const { items } = await read<Summary>(`${USAGE}/summary`, org.key);
  expect(items).toEqual([
    {
      kind: 'api_key',
      credentialId: keyId,
      lastDay: counted({ requests: 1, clientErrors: 1 }),
      lastWeek: counted({ requests: 1, clientErrors: 1 }),
    },
    {
      kind: 'console',
      credentialId: person.userId,
      lastDay: counted({ requests: 3, clientErrors: 1 }),
      lastWeek: counted({ requests: 3, clientErrors: 1 }),
    },
  ]);
});

it('is shown by the hour or by the day where the organization is, with the hours in which nothing happened', async () => {
  const org = await newOrganization(service.db, { timeZone: 'Asia/Shanghai' });
  const { orgId } = org.organization;
  const add = (hour: string, requests: number) =>
    service.db.sql(`insert into credential_usage values ($1, 'api_key', $2, $3, $4, 1, 2, 3)`, [
      orgId,
      org.keyId,
      hour,
      requests,
    ]);
  await add('2026-11-13T15:00:00Z', 10);
  await add('2026-11-13T16:00:00Z', 20);
  await add('2026-11-14T15:00:00Z', 40);
  const span = 'from=2026-11-13T14:00:00Z&to=2026-11-14T16:00:00Z';
  const hours = await read<Series>(`${USAGE}?${span}`, org.key);
  expect(hours.items).toHaveLength(26);
  expect(happened(hours).map(({ at, requests }) => [at, requests])).toEqual([
    ['2026-11-13T15:00:00.000Z', 10],
    ['2026-11-13T16:00:00.000Z', 20],
    ['2026-11-14T15:00:00.000Z', 40],
  ]);
  const days = await read<Series>(`${USAGE}?${span}&step=day`, org.key);
  expect(days.items.map(({ at, requests }) => [at, requests])).toEqual([
    ['2026-11-12T16:00:00.000Z', 10],
    ['2026-11-13T16:00:00.000Z', 60],
  ]);
  expect(days.items[1]).toMatchObject({ clientErrors: 2, serverErrors: 4, limited: 6 });
  const { items } = await read<Summary>(`${USAGE}/summary`, org.key);
  const own = items.find(({ credentialId }) => credentialId === org.keyId);
  expect([own?.lastDay.requests, own?.lastWeek.requests]).toEqual([40, 70]);
});

it.each([
  ['from=2026-11-14T00:00:00Z&to=2026-11-14T00:00:00Z', 'span_reversed'],
  ['from=2026-09-14T00:00:00Z&to=2026-11-14T00:00:00Z', 'span_too_long'],
  ['from=2026-01-14T00:00:00Z&to=2026-11-14T00:00:00Z&step=day', 'span_too_long'],
])('refuses %s: %s', async (query, reason) => {
  const answer = await service.call('GET', `${USAGE}?${query}`);
  expect(answer).toMatchObject({ status: 400, code: 1001, reason });
});

it('is forgotten after 90 days, of every organization', async () => {
  const orgs = [await newOrganization(service.db), await newOrganization(service.db)];
  const now = service.db.clock.now().getTime();
  const daysAgo = (days: number) => new Date(now - days * 86_400_000);
  for (const { organization, keyId } of orgs)
    for (const days of [89, 91, 100, 400])
      await service.db.sql(`insert into credential_usage values ($1, 'api_key', $2, $3, 1, 0, 0, 0)`, [
        organization.orgId,
        keyId,
        daysAgo(days),
      ]);
  await removeOldUsage(service.db.database);
  const left = await service.db.sql('select hour from credential_usage where org_id = any($1)', [
    orgs.map(({ organization }) => organization.orgId),
  ]);
  expect(left).toEqual([{ hour: daysAgo(89) }, { hour: daysAgo(89) }]);
});
