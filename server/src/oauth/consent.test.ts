import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  authorizeQuery,
  type Browser,
  browser,
  codeForm,
  decide,
  locationOf,
  newClient,
  newCode,
  newPkce,
  REDIRECT_URI,
  sendAs,
  type TestClient,
  userTokens,
} from '../../test/access/oauth-world.js';
import { newOrganization, newSession, openTestService, type TestSession } from '../../test/harness/index.js';
import { createUser } from '../people/index.js';
import { transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';

type Service = Awaited<ReturnType<typeof openTestService>>;

describe('the consent page', () => {
  let service: Service;
  let client: TestClient;
  let session: TestSession;
  const pkce = newPkce();
  beforeAll(async () => {
    service = await openTestService({ alone: true });
    const { db, org } = service;
    client = await newClient(db, org);
    session = await newSession(db, org.organization.orgId, { role: 'warehouse' });
  });
  afterAll(() => service.close());

  const begin = async (tab: Browser, more: Record<string, string> = {}) => {
    const query = new URLSearchParams(authorizeQuery(client, pkce, more));
    const page = locationOf(await tab.open(`/oauth/authorize?${query}`));
    expect(page).toMatch(/^\/oauth\/interaction\/[\w-]+$/);
    return page;
  };
  const grants = async () =>
    (await service.db.sql("select 1 from oauth_artifacts where model in ('Grant', 'AuthorizationCode')"))
      .length;

  it('names the app and the requested permissions, and those the role does not allow', async () => {
    const tab = browser(service.api, session);
    const answer = await tab.open(await begin(tab, { scope: 'products:read settings:read' }));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Stock &lt;app&gt;');
    expect(answer.text).not.toContain('Stock <app>');
    expect(answer.text).toContain(service.org.organization.name);
    expect(answer.text).toContain(session.email);
    const [granted, withheld] = answer.text.split('will not be granted');
    expect(granted).toContain('Read products, partners and warehouses');
    expect(withheld).toContain('Read settings, people, keys and OAuth clients');
    expect(answer.text).not.toContain('<script');
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('grants the requested scopes that the role allows, and no more', async () => {
    const tokens = await userTokens(service.api, client, session, { scope: 'products:read settings:read' });
    expect(tokens.scope).toBe('products:read');
  });

  it('grants nothing if the role allows none of the scopes', async () => {
    const query = authorizeQuery(client, pkce, { scope: 'settings:read' });
    const tab = browser(service.api, session);
    const page = await begin(tab, { scope: 'settings:read' });
    expect((await tab.open(page)).text).not.toContain('value="allow"');
    const back = await decide(service.api, session, query);
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('code')).toBeNull();
  });

  it('grants nothing if the person declines', async () => {
    const before = await grants();
    const back = await decide(service.api, session, authorizeQuery(client, pkce), 'refuse');
    expect(back.href.startsWith(REDIRECT_URI)).toBe(true);
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('state')).toBe('a state');
    expect(await grants()).toBe(before);
  });

  it('asks every time', async () => {
    await userTokens(service.api, client, session);
    const tab = browser(service.api, session);
    await begin(tab);
    await begin(tab);
    const silent = new URLSearchParams(authorizeQuery(client, pkce, { prompt: 'none' }));
    expect(locationOf(await tab.open(`/oauth/authorize?${silent}`))).toContain('error=login_required');
  });

  it('redirects a person who is not fully signed in to sign in, and back', async () => {
    const { orgId } = service.org.organization;
    const unfinished = await newSession(service.db, orgId, { role: 'warehouse', state: 'second_factor' });
    const over = await newSession(service.db, orgId, {
      expiresAt: new Date(service.db.clock.now().getTime() - 1),
    });
    for (const who of [undefined, unfinished, over]) {
      const tab = browser(service.api, who);
      const page = await begin(tab);
      for (const answer of [await tab.open(page), await tab.open(page, { decision: 'allow' })]) {
        expect(answer.status).toBe(303);
        expect(locationOf(answer)).toBe(`/sign-in?return=${encodeURIComponent(page)}`);
      }
    }
  });

  it('shows nothing to people of another organization', async () => {
    const org = await newOrganization(service.db);
    const stranger = await newSession(service.db, org.organization.orgId);
    const tab = browser(service.api, stranger);
    const page = await begin(tab);
    for (const form of [undefined, { decision: 'allow', csrf: stranger.csrfToken }]) {
      const answer = await tab.open(page, form);
      expect(answer.status).toBe(403);
      expect(answer.text).not.toContain('Stock');
    }
  });

  it('lets a member of several organizations choose that of the app, and nobody else’s', async () => {
    const { db, org, api } = service;
    const [used, third] = [await newOrganization(db), await newOrganization(db)];
    const person = await newSession(db, used.organization.orgId, { role: 'viewer' });
    for (const { organization } of [org, third])
      await transact(db.database, systemPrincipal(organization.orgId, 'operator@test.example'), (tx) =>
        createUser(tx, { email: person.email, role: 'viewer' }),
      );
    const stranger = await newOrganization(db);
    const tab = browser(api, person);
    const page = await begin(tab);
    const choose = locationOf(await tab.open(page));
    expect(choose).toBe(`/sign-in?return=${encodeURIComponent(page)}&choose`);
    const { text } = await tab.open(choose);
    const offered = [...text.matchAll(/name="organization" value="([^"]+)"/g)].map(([, code]) => code);
    expect(offered.sort()).toEqual([org.organization.code, third.organization.code].sort());
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const pick = (organization: string, headers = {}) =>
      tab.open('/sign-in', { csrf, return: page, step: 'organization', organization }, headers);
    expect((await pick(org.organization.code, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const refused = await pick(stranger.organization.code);
    expect([refused.status, refused.text.includes('role="alert"')]).toEqual([404, true]);
    expect(locationOf(await pick(org.organization.code))).toBe(page);
    const shown = await tab.open(page);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain(org.organization.name);
    // One that is not signed in to anything else has nothing to choose.
    expect(locationOf(await browser(api, session).open(choose))).toBe(page);
  });

  it('accepts a decision only from its own form', async () => {
    const tab = browser(service.api, session);
    const page = await begin(tab);
    const before = await grants();
    const form = { decision: 'allow', csrf: session.csrfToken };
    for (const [given, headers] of [
      [{ decision: 'allow' }, {}],
      [{ decision: 'allow', csrf: 'another' }, {}],
      [form, { 'sec-fetch-site': 'cross-site' }],
      [form, { 'sec-fetch-site': 'same-site' }],
    ] as [Record<string, string>, Record<string, string>][]) {
      expect((await tab.open(page, given, headers)).status).toBe(403);
    }
    expect(await grants()).toBe(before);
    expect((await tab.open(page, form, { 'sec-fetch-site': 'same-origin' })).status).toBe(303);
  });

  it('works once, in the browser that started it', async () => {
    const tab = browser(service.api, session);
    const page = await begin(tab);
    const another = browser(service.api, session);
    expect((await another.open(page)).status).toBe(400);
    const decided = await tab.open(page, { decision: 'allow', csrf: session.csrfToken });
    const resume = locationOf(decided);
    expect((await another.open(resume)).status).toBe(400);
    expect(locationOf(await tab.open(resume))).toContain('code=');
    expect((await tab.open(resume)).status).toBe(400);
    expect((await tab.open(page)).status).toBe(400);
  });

  it('accepts an authorization request sent as a form', async () => {
    const tab = browser(service.api, session);
    const answer = await tab.open('/oauth/authorize', authorizeQuery(client, pkce));
    expect(locationOf(answer)).toMatch(/^\/oauth\/interaction\//);
  });

  it('redirects to the public URL of the service, not to a forwarded host', async () => {
    const tab = browser(service.api, session);
    const query = new URLSearchParams(authorizeQuery(client, pkce));
    const strange = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    const page = locationOf(await tab.open(`/oauth/authorize?${query}`, undefined, strange));
    const decided = await tab.open(page, { decision: 'allow', csrf: session.csrfToken }, strange);
    expect(new URL(locationOf(decided)).origin).toBe(service.api.url);
  });

  it('records the consent in the audit trail, and stores no code or token in clear text', async () => {
    // Later than what the others left, so that it is the last.
    service.db.clock.advance(1_000);
    const { code, pkce: own } = await newCode(service.api, client, session);
    const answer = await sendAs(service.api, client, '/oauth/token', codeForm(code, own));
    const { access_token: access, refresh_token: refresh } = answer.json;
    const [entry] = await service.db.sql<{ actor: string; entity_id: string; after: object }>(
      "select * from audit_entries where action = 'client.authorize' order by entry_id desc limit 1",
    );
    expect(entry).toMatchObject({
      actor: session.email,
      entity_id: client.clientId,
      after: { userId: session.userId, scopes: ['products:read', 'inventory:read'] },
    });
    const rows = JSON.stringify([
      await service.db.sql('select * from oauth_artifacts'),
      await service.db.sql('select * from oauth_clients'),
      await service.db.sql('select * from audit_entries'),
      await service.db.sql('select * from idempotency_keys'),
    ]);
    for (const secret of [code, access, refresh, client.clientSecret, own.verifier])
      expect(rows).not.toContain(secret);
  });

  it.each(['code', 'refresh token'])(
    'of two who use one %s at once, at most one wins, and nothing is left',
    async (what) => {
      for (let round = 0; round < 5; round++) {
        const { code, pkce: own } = await newCode(service.api, client, session);
        let form: Record<string, string> = codeForm(code, own);
        if (what === 'refresh token') {
          const first = await sendAs(service.api, client, '/oauth/token', form);
          form = { grant_type: 'refresh_token', refresh_token: first.json.refresh_token };
        }
        const answers = await Promise.all(
          [1, 2, 3].map(() => sendAs(service.api, client, '/oauth/token', form)),
        );
        const won = answers.filter((answer) => answer.status === 200);
        expect(won.length).toBeLessThanOrEqual(1);
        for (const lost of answers.filter((answer) => answer.status !== 200))
          expect(lost).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
        for (const { json } of won) {
          expect((await service.api.call('GET', '/v2/products', undefined, json.access_token)).status).toBe(
            401,
          );
          const again = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
          expect((await sendAs(service.api, client, '/oauth/token', again)).json.error).toBe('invalid_grant');
        }
      }
      expect(
        await service.db.sql(`select 1 from oauth_artifacts a where a.grant_hash is not null and not exists
        (select 1 from oauth_artifacts g where g.model = 'Grant' and g.id_hash = a.grant_hash)`),
      ).toEqual([]);
    },
  );
});
