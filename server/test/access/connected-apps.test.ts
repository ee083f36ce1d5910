import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockAccount } from '../../src/people/user.store.js';
import { transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import {
  newOrganization,
  newSession,
  openTestService,
  startApi,
  type TestSession,
} from '../harness/index.js';
import {
  authorizeQuery,
  browser,
  locationOf,
  newClient,
  newPkce,
  sendAs,
  type TestClient,
  userTokens,
} from './oauth-world.js';

let service: Awaited<ReturnType<typeof openTestService>>;
let elsewhere: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
  elsewhere = await startApi(await service.db.another());
});
afterAll(async () => {
  await elsewhere.close();
  await service.close();
});

const signedIn = (role: 'admin' | 'warehouse' = 'warehouse') =>
  newSession(service.db, service.org.organization.orgId, { role });
const as = <D = object>({ headers }: TestSession, method: string, path: string) =>
  service.api.call<D>(method, path, undefined, undefined, headers);
const soon = { timeout: 60_000, interval: 20 };
const statusOf =
  (token: string, api = service.api) =>
  async () =>
    (await api.call('GET', '/v2/whoami', undefined, token)).status;
const refresh = (client: TestClient, token: string) =>
  sendAs(service.api, client, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token });

interface App {
  grantId: string;
  clientId: string;
  clientName: string;
  scopes: string[];
  createdAt: string;
  expiresAt: string;
  email?: string;
}
const OWN = '/v2/session/connected-apps';
const ALL = '/v2/settings/grants';
const appsOf = async (person: TestSession) => (await as<{ items: App[] }>(person, 'GET', OWN)).data.items;

describe('a person', () => {
  it('sees the apps that act for them, newest first, and nobody else’s', async () => {
    const [person, other] = [await signedIn(), await signedIn()];
    const [first, second] = [
      await newClient(service.db, service.org),
      await newClient(service.db, service.org),
    ];
    await userTokens(service.api, first, person);
    service.db.clock.advance(1_000);
    await userTokens(service.api, second, person, { scope: 'products:read' });
    await userTokens(service.api, second, other);
    const apps = await appsOf(person);
    expect(apps.map(({ clientId, scopes }) => [clientId, scopes])).toEqual([
      [second.clientId, ['products:read']],
      [first.clientId, ['inventory:read', 'products:read']],
    ]);
    const now = service.db.clock.now().getTime();
    expect(apps[0]).toMatchObject({
      clientName: 'Stock <app>',
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + 30 * 86_400_000).toISOString(),
    });
    service.db.clock.advance(30 * 86_400_000);
    const later = await newSession(service.db, service.org.organization.orgId, { person });
    expect(await appsOf(later)).toEqual([]);
  });

  it('sees no app for which they never finished agreeing', async () => {
    const person = await signedIn();
    await userTokens(service.api, await newClient(service.db, service.org), person);
    expect(await appsOf(person)).toHaveLength(1);
    // As a process leaves it that ends between the decision and its record.
    await service.db.sql(
      `update oauth_artifacts set generation = null
       where model = 'Grant' and user_id = (select user_id from users where email = $1)`,
      [person.email],
    );
    expect(await appsOf(person)).toEqual([]);
  });

  it('ends one of them in every process, and only that one', async () => {
    const [person, other] = [await signedIn(), await signedIn()];
    const client = await newClient(service.db, service.org);
    const ended = await userTokens(service.api, client, person);
    service.db.clock.advance(1_000);
    const stays = await userTokens(service.api, client, person);
    const shown = await appsOf(person);
    expect(shown).toHaveLength(2);
    for (const api of [service.api, elsewhere]) expect(await statusOf(ended.access, api)()).toBe(200);
    for (const { grantId } of shown)
      expect((await as(other, 'DELETE', `${OWN}/${grantId}`)).status).toBe(404);
    const { grantId } = shown[1] as App;
    expect((await as(person, 'DELETE', `${OWN}/${grantId}`)).status).toBe(200);
    expect((await as(person, 'DELETE', `${OWN}/${grantId}`)).status).toBe(404);
    const left = (await appsOf(person)).map((app) => app.grantId);
    expect(left).toEqual([shown[0]?.grantId]);
    for (const api of [service.api, elsewhere])
      await expect.poll(statusOf(ended.access, api), soon).toBe(401);
    expect((await refresh(client, ended.refresh)).json.error).toBe('invalid_grant');
    expect(await statusOf(stays.access)()).toBe(200);
    expect((await refresh(client, stays.refresh)).status).toBe(200);
  });

  it.each(['x', 'AAAA', 'A'.repeat(64)])('ends nothing by the id %s', async (grantId) => {
    const admin = await signedIn('admin');
    for (const path of [OWN, ALL]) expect((await as(admin, 'DELETE', `${path}/${grantId}`)).status).toBe(404);
  });
});

describe('an administrator', () => {
  it('sees and ends what anybody of the organization allowed, page by page', async () => {
    const org = await newOrganization(service.db);
    const { orgId } = org.organization;
    const [client, another] = [await newClient(service.db, org), await newClient(service.db, org)];
    const people = await Promise.all(
      ['warehouse', 'sales'].map((role) => newSession(service.db, orgId, { role: role as 'sales' })),
    );
    const tokens: string[] = [];
    for (const person of people)
      for (const each of [client, another])
        tokens.push((await userTokens(service.api, each, person, { scope: 'products:read' })).access);
    const list = async (query: string) =>
      (
        await service.api.call<{ items: App[]; nextCursor: string | null }>(
          'GET',
          `${ALL}?${query}`,
          undefined,
          org.key,
        )
      ).data;
    const all = await list('');
    expect(all.items).toHaveLength(4);
    expect(new Set(all.items.map(({ email }) => email))).toEqual(new Set(people.map(({ email }) => email)));
    const paged: App[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(`limit=3${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
      paged.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(all.items);
    const [first] = people as [TestSession];
    const filtered = await list(`userId=${first.userId}&clientId=${client.clientId}`);
    expect(filtered.items).toMatchObject([{ clientId: client.clientId, email: first.email }]);
    const { grantId } = filtered.items[0] as App;
    // Not from another organization.
    expect((await as(await signedIn('admin'), 'DELETE', `${ALL}/${grantId}`)).status).toBe(404);
    expect((await service.api.call('DELETE', `${ALL}/${grantId}`, undefined, org.key)).status).toBe(200);
    await expect.poll(statusOf(tokens[0] as string), soon).toBe(401);
    expect(await statusOf(tokens[1] as string)()).toBe(200);
    expect((await list('')).items).toHaveLength(3);
  });

  it('gets a refusal for a cursor that is none', async () => {
    for (const cursor of ['x', Buffer.from('["no time","x"]').toString('base64url')])
      expect((await as(await signedIn('admin'), 'GET', `${ALL}?cursor=${cursor}`)).status).toBe(400);
  });
});

it('consent given in a session that a change of the password ends meanwhile gives the app nothing', async () => {
  const person = await signedIn();
  const { orgId } = service.org.organization;
  const client = await newClient(service.db, service.org);
  const tab = browser(service.api, person);
  const query = new URLSearchParams(authorizeQuery(client, newPkce()));
  const page = locationOf(await tab.open(`/oauth/authorize?${query}`));
  expect((await tab.open(page)).status).toBe(200);
  let decided: ReturnType<typeof tab.open> | undefined;
  await transact(service.db.database, systemPrincipal(orgId, 'operator@test.example'), async (tx) => {
    await lockAccount(tx, person.userId);
    decided = tab.open(page, { decision: 'allow', csrf: person.csrfToken });
    await expect.poll(async () => (await service.db.waiting()).length, soon).toBe(1);
    await service.db.sql('delete from sessions where session_id = $1', [person.sessionId]);
  });
  expect((await decided)?.status).toBe(403);
  const grants = await service.db.sql(
    "select 1 from oauth_artifacts where model = 'Grant' and user_id = $1",
    [person.userId],
  );
  expect(grants).toEqual([]);
});
