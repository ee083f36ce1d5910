import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/access/index.js';
import { revokeClient, revokeKey } from '../../src/credentials/index.js';
import { updateOrganization } from '../../src/organizations/index.js';
import { removeUser } from '../../src/people/manage-users.js';
import { transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { bearer } from '../access/credential-states/index.js';
import { clientToken, newClient, sendAs, userTokens } from '../access/oauth-world.js';
import {
  expectWithin,
  GTIN,
  newOrganization,
  newSession,
  openPushWorld,
  openTestService,
  startApi,
  stockCatalogue,
  type TestApi,
} from '../harness/index.js';
import { type Listening, listenTo } from './listening.js';

let service: Awaited<ReturnType<typeof openTestService>>;
/** The same database, as another process has it. */
let elsewhere: TestApi;
/** Added to the real time. */
let laterMs = 0;
const open: Listening[] = [];

beforeAll(async () => {
  service = await openTestService({ monotonicMs: () => performance.now() + laterMs });
  elsewhere = await startApi(await service.db.another());
});
afterAll(async () => {
  await Promise.all(open.map((each) => each.stop()));
  await elsewhere.close();
  await service.close();
});

async function listen(sent: Record<string, string> = bearer(service.org.key), url = service.api.url) {
  const listening = await listenTo(url, sent);
  open.push(listening);
  return listening;
}

async function must<D = object>(
  method: string,
  path: string,
  body: object,
  key = service.org.key,
): Promise<D> {
  const answer = await service.call<D>(method, path, body, key);
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}

let numbers = 0;
const stockUp = () =>
  must('POST', '/v2/stock/adjustments', {
    productCode: GTIN,
    warehouse: 'WH-1',
    batchNo: 'B1',
    quantityDelta: 5,
    reason: 'found',
    ...(numbers === 0 ? { expiryDate: '2028-01-01' } : {}),
  });
const newOrder = () =>
  must<{ orderId: string }>('POST', '/v2/orders', {
    orderNo: `SO-${++numbers}`,
    customerCode: 'HOSP-1',
    warehouse: 'WH-1',
    currency: 'EUR',
    lines: [{ lineNo: 1, productCode: GTIN, quantity: 1, unitPrice: '1' }],
  });
/** An order that changed its status: an event. */
async function approvedOrder(): Promise<string> {
  await stockUp();
  const { orderId } = await newOrder();
  await must('POST', `/v2/orders/${orderId}/approve`, {});
  return orderId;
}
const warmRoom = async () => {
  const point = `P-${++numbers}`;
  await must('PUT', `/v2/environment/points/${point}`, {
    name: 'Cold room',
    warehouse: 'WH-1',
    temperature: { min: 2, max: 8 },
  });
  const readings = [{ pointId: point, at: '2026-11-15T09:00:00Z', temperature: 9 }];
  await must('POST', '/v2/environment/readings', { readings });
};

describe('a stream', () => {
  it('consists of server-sent events, is not cached, and sets the retry delay of the browser', async () => {
    const stream = await listen();
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toBe('no-store');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    await expect.poll(() => stream.text).toBe('retry: 3000\n\n');
    await stream.stop();
  });

  it('reports events, dispatches and alerts from its own process and from another', async () => {
    const streams = [await listen(), await listen(undefined, elsewhere.url)];
    const startedAt = performance.now();
    const orderId = await approvedOrder();
    for (const stream of streams)
      expect((await stream.expectNews('events')).data.eventTypes).toEqual(['order.status_changed']);
    // Faster than the poll every five seconds: a notification triggered it.
    expectWithin(4_000, startedAt);
    await must('POST', '/v2/dispatches', { orderId });
    for (const stream of streams)
      expect((await stream.expectNews('dispatches')).data).toEqual({ kind: 'dispatches' });
    await warmRoom();
    for (const stream of streams) {
      expect((await stream.expectNews('alerts')).data).toEqual({ kind: 'alerts' });
      await stream.stop();
    }
  });

  it('reports each change once, then nothing until the next change', async () => {
    const [early, late] = [await listen(), await listen(undefined, elsewhere.url)];
    await approvedOrder();
    await early.expectNews('events');
    await late.expectNews('events');
    // Time for several polls; the report of another change shows that they happened.
    await warmRoom();
    await early.expectNews('alerts');
    await warmRoom();
    await expect
      .poll(() => early.heard.filter(({ event }) => event === 'alerts').length, { timeout: 4_000 })
      .toBe(2);
    const eventNews = early.heard.filter(({ event }) => event === 'events');
    expect(eventNews.map(({ data }) => data.eventTypes)).toEqual([
      ['order.status_changed'],
      ...eventNews.slice(1).map(() => ['environment.alert']),
    ]);
    await Promise.all([early.stop(), late.stop()]);
  });

  it('reports only what the credential may read, and nothing to another organization', async () => {
    const keyWith = async (...scopes: (typeof SCOPES)[number][]) =>
      bearer((await service.org.newKey({ scopes })).apiKey);
    const other = await newOrganization(service.db);
    await stockCatalogue(service.api, other.key);
    const [all, orders, dispatches, noFeed, foreign] = [
      await listen(),
      await listen(await keyWith('events:read', 'inventory:read')),
      await listen(await keyWith('dispatches:read', 'orders:read')),
      await listen(
        await keyWith(...SCOPES.filter((scope) => !/^(events|dispatches|environment):read$/.test(scope))),
      ),
      await listen(bearer(other.key)),
    ];
    const orderId = await approvedOrder();
    await must('POST', '/v2/dispatches', { orderId });
    await warmRoom();
    for (const kind of ['events', 'dispatches', 'alerts']) await all.expectNews(kind);
    await dispatches.expectNews('dispatches');
    expect(new Set(dispatches.heard.map(({ event }) => event))).toEqual(new Set(['dispatches']));
    for (const quiet of [orders, noFeed, foreign]) expect(quiet.heard).toEqual([]);
    await Promise.all([all, orders, dispatches, noFeed, foreign].map((each) => each.stop()));
  });

  it('reports deliveries when a push has an outcome', async () => {
    const world = await openPushWorld();
    const hook = await world.subscribe();
    const stream = await listen(bearer(hook.key), world.api.url);
    await hook.happen({});
    await hook.expectPushes(1);
    await stream.expectNews('deliveries');
    await stream.stop();
    await world.close();
  });
});

describe('a stream ends', () => {
  const soon = { timeout: 2_500, interval: 20 };
  const eventually = { timeout: 60_000, interval: 20 };

  it('when its key is revoked, within about a second', async () => {
    const { apiKey, keyId } = await service.org.newKey();
    const [revoked, kept] = [await listen(bearer(apiKey)), await listen()];
    const { orgId } = service.org.organization;
    await transact(service.db.database, systemPrincipal(orgId, 'operator@test.example'), (tx) =>
      revokeKey(tx, keyId),
    );
    await expect.poll(() => revoked.hasEnded, soon).toBe(true);
    expect(kept.hasEnded).toBe(false);
    await kept.stop();
  });

  it('when its key expires', async () => {
    const expires = new Date(service.db.clock.now().getTime() + 60_000).toISOString();
    const { apiKey } = await service.org.newKey({ expires });
    const stream = await listen(bearer(apiKey));
    expect(stream.status).toBe(200);
    service.db.clock.advance(60_001);
    await expect.poll(() => stream.hasEnded, eventually).toBe(true);
  });

  it('when the grant of the person ends, when its client is revoked, and when the person is removed', async () => {
    const { organization } = service.org;
    const client = await newClient(service.db, service.org);
    const [first, second, leaving] = [
      await newSession(service.db, organization.orgId),
      await newSession(service.db, organization.orgId),
      await newSession(service.db, organization.orgId),
    ];
    const own = await clientToken(service.api, client);
    const tokens = [
      await userTokens(service.api, client, first),
      await userTokens(service.api, client, leaving),
      await userTokens(service.api, client, second),
    ];
    const [ended, removed, kept] = [
      await listen(bearer(tokens[0]?.access ?? '')),
      await listen(bearer(tokens[1]?.access ?? '')),
      await listen(bearer(tokens[2]?.access ?? '')),
    ];
    const ofClient = await listen(bearer(own));
    for (const stream of [ended, removed, kept, ofClient]) expect(stream.status).toBe(200);
    await sendAs(service.api, client, '/oauth/revoke', { token: tokens[0]?.refresh ?? '' });
    await expect.poll(() => ended.hasEnded, eventually).toBe(true);
    const asOperator = systemPrincipal(organization.orgId, 'operator@test.example');
    await transact(service.db.database, asOperator, (tx) => removeUser(tx, leaving.userId));
    await expect.poll(() => removed.hasEnded, eventually).toBe(true);
    expect([kept.hasEnded, ofClient.hasEnded]).toEqual([false, false]);
    await transact(service.db.database, asOperator, (tx) => revokeClient(tx, client.clientId));
    for (const stream of [kept, ofClient]) await expect.poll(() => stream.hasEnded, eventually).toBe(true);
  });

  it('when the session ends, and when the scopes of the person change', async () => {
    const { orgId } = service.org.organization;
    const [ended, changed] = [
      await newSession(service.db, orgId, { role: 'sales' }),
      await newSession(service.db, orgId, { role: 'sales' }),
    ];
    const streams = [
      await listen({ cookie: ended.headers.cookie }),
      await listen({ cookie: changed.headers.cookie }),
    ];
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    await service.db.sql('delete from sessions where session_id = $1', [ended.sessionId]);
    await service.db.sql(`update users set role = 'viewer' where user_id = $1`, [changed.userId]);
    for (const stream of streams) await expect.poll(() => stream.hasEnded, soon).toBe(true);
  });

  it('when the organization is suspended', async () => {
    const { organization, key } = await newOrganization(service.db);
    const stream = await listen(bearer(key));
    await updateOrganization(service.db.database, 'operator', organization.orgId, { status: 'suspended' });
    await expect.poll(() => stream.hasEnded, soon).toBe(true);
  });

  it('after ten minutes; until then it shows every 15 seconds that it is alive', async () => {
    const stream = await listen();
    laterMs += 14_000;
    await expect.poll(() => stream.comments, { timeout: 2_500 }).toBe(1);
    expect(stream.text).toMatch(/\n\n:\n\n$/);
    laterMs += 10 * 60_000;
    await expect.poll(() => stream.hasEnded, soon).toBe(true);
    expect(stream.heard).toEqual([]);
  });

  it('when the server closes, which does not wait for it', async () => {
    const api = await startApi(service.db.database);
    const streams = [await listen(undefined, api.url), await listen(undefined, api.url)];
    // They would last ten minutes.
    await api.close();
    await Promise.all(streams.map((each) => each.ended));
  });
});

describe('streams', () => {
  it('are limited to ten per credential, or per person with several sessions', async () => {
    const { orgId } = service.org.organization;
    const first = await newSession(service.db, orgId);
    const second = await newSession(service.db, orgId, { person: first });
    const cookies = [first, second].map(({ headers: { cookie } }) => ({ cookie }));
    const streams: Listening[] = [];
    for (let i = 0; i < 10; i++) streams.push(await listen(cookies[i % 2]));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await service.api.call('GET', '/stream', undefined, undefined, cookies[0]);
    expect(refused).toMatchObject({ status: 429, code: 1005, reason: 'too_many_streams' });
    expect(refused.headers.get('retry-after')).toBe('60');
    expect((await listen()).status, 'of somebody else').toBe(200);
    await streams[0]?.stop();
    await expect
      .poll(async () => (await service.api.call('GET', '/stream', undefined, undefined, cookies[0])).status)
      .toBe(200);
    await Promise.all(streams.map((each) => each.stop()));
  });

  it('are limited to a hundred per organization, and others go on', async () => {
    const api = await startApi(service.db.database);
    const noisy = await newOrganization(service.db);
    const keys: string[] = [];
    for (let i = 0; i < 11; i++) keys.push((await noisy.newKey()).apiKey);
    const as = (key = '') => listen({ authorization: `Bearer ${key}` }, api.url);
    const streams = await Promise.all(Array.from({ length: 100 }, (_, i) => as(keys[i % 10])));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await api.call('GET', '/stream', undefined, keys[10]);
    expect(refused).toMatchObject({ status: 429, reason: 'too_many_streams' });
    const other = await as(service.org.key);
    expect(other.status).toBe(200);
    await streams[0]?.stop();
    await expect.poll(async () => (await api.call('GET', '/stream', undefined, keys[10])).status).toBe(200);
    await Promise.all([...streams, other].map((each) => each.stop()));
    await api.close();
  });

  it('do not keep an idle session alive', async () => {
    const api = await startApi(service.db.database);
    const { orgId } = service.org.organization;
    const lastSeenAt = new Date(service.db.clock.now().getTime() - 60_000);
    const [listening, working] = [
      await newSession(service.db, orgId, { lastSeenAt }),
      await newSession(service.db, orgId, { lastSeenAt }),
    ];
    const stream = await listen({ cookie: listening.headers.cookie }, api.url);
    expect(stream.status).toBe(200);
    expect((await api.call('GET', '/v2/whoami', undefined, undefined, working.headers)).status).toBe(200);
    await api.close();
    const seen = async (sessionId: string) =>
      (
        await service.db.sql<{ at: Date }>('select last_seen_at as at from sessions where session_id = $1', [
          sessionId,
        ])
      )[0]?.at;
    expect(await seen(listening.sessionId)).toEqual(lastSeenAt);
    expect(await seen(working.sessionId)).toEqual(service.db.clock.now());
  });

  it('do not count as slow requests in the metrics', async () => {
    const stream = await listen();
    await stream.stop();
    await service.call('GET', '/v2/whoami');
    const metrics = async () => (await service.api.call('GET', '/metrics')).text;
    await expect.poll(metrics).toContain('route="/v2/whoami"');
    expect(await metrics()).not.toContain('route="/stream",status="200"');
  });

  it('with an unknown parameter or another method are refused like any other request', async () => {
    const refused = await service.api.call('GET', '/stream?after=1', undefined, service.org.key);
    expect(refused).toMatchObject({ status: 400, code: 1001 });
    expect(await service.api.call('POST', '/stream', {}, service.org.key)).toMatchObject({
      status: 404,
      code: 1004,
    });
  });
});
