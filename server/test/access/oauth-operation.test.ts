import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { changeClient } from '../../src/credentials/change-client.js';
import { revokeClient, rotateClientSecret } from '../../src/credentials/index.js';
import { keepSigningKeys, removeExpiredGrants, rotateSigningKey } from '../../src/oauth/index.js';
import { type Tx, transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import {
  countingLimiter,
  newOrganization,
  newSession,
  openTestDatabase,
  runCommand,
  startApi,
  type TestApi,
  type TestDatabase,
  type TestOrganization,
} from '../harness/index.js';
import {
  authorizeQuery,
  basic,
  clientToken,
  newClient,
  newPkce,
  send,
  sendAs,
  type TestClient,
  userTokens,
} from './oauth-world.js';

let db: TestDatabase;
let org: TestOrganization;
let client: TestClient;
const apis: TestApi[] = [];
beforeAll(async () => {
  db = await openTestDatabase();
  org = await newOrganization(db, { code: 'acme' });
  client = await newClient(db, org);
});
afterEach(async () => {
  for (const api of apis.splice(0)) await api.close();
});
afterAll(() => db.close());

const start = async (options: Parameters<typeof startApi>[1] = {}, database = db.database) => {
  const api = await startApi(database, options);
  apis.push(api);
  return api;
};
const inOrg = <T>(work: (tx: Tx) => Promise<T>) =>
  transact(db.database, systemPrincipal(org.organization.orgId, 'operator@test.example'), work);
const products = async (api: TestApi, token: string) =>
  (await api.call('GET', '/v2/whoami', undefined, token)).status;
const kidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
const published = async (api: TestApi): Promise<string[]> => {
  const { keys } = (await (await fetch(`${api.url}/oauth/jwks`)).json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
};

describe('several processes', () => {
  it('create only one first signing key when they start together', async () => {
    const fresh = await openTestDatabase();
    const both = await Promise.all([startApi(fresh.database), startApi(await fresh.another())]);
    const found = await Promise.all([...both, ...both].map(published));
    expect(new Set(found.flat()).size).toBe(1);
    expect(await fresh.sql('select 1 from signing_keys')).toHaveLength(1);
    for (const api of both) await api.close();
    await fresh.drop();
  });

  it('adopt a new signing key while tokens of the old one stay valid', async () => {
    let minutes = 0;
    const monotonicMs = () => minutes * 60_001;
    const [one, two] = [await start({ monotonicMs }), await start({ monotonicMs }, await db.another())];
    const before = await clientToken(one, client);
    const oldKey = kidOf(before);
    expect(await products(two, before)).toBe(200);
    const { keyId } = await rotateSigningKey(db, { now: false });
    minutes++;
    for (const api of [one, two]) {
      expect((await published(api)).sort()).toEqual([oldKey, keyId].sort());
      expect(kidOf(await clientToken(api, client))).toBe(oldKey);
    }
    db.clock.advance(10 * 60_000);
    const after = await clientToken(one, client);
    expect(kidOf(after)).toBe(keyId);
    for (const api of [one, two])
      for (const token of [before, after]) expect(await products(api, token)).toBe(200);
    await keepSigningKeys(db);
    minutes++;
    expect(await published(two)).toContain(oldKey);
    db.clock.advance(60 * 60_000);
    await keepSigningKeys(db);
    minutes++;
    expect(await published(two)).toEqual([keyId]);
  });

  it('load an unknown signing key when a token signed with it arrives', async () => {
    const [one, two] = [await start(), await start({}, await db.another())];
    expect(await products(two, await clientToken(two, client))).toBe(200);
    const { keyId } = await rotateSigningKey(db, { now: true });
    const token = await clientToken(one, client);
    expect(kidOf(token)).toBe(keyId);
    expect(await products(two, token)).toBe(200);
  });

  it('refuse the tokens of a revoked client within a second', async () => {
    let ms = 0;
    const one = await start();
    const two = await start({ monotonicMs: () => ms }, await db.another());
    const doomed = await newClient(db, org);
    const token = await clientToken(one, doomed);
    expect(await products(two, token)).toBe(200);
    await inOrg((tx) => revokeClient(tx, doomed.clientId));
    ms += 1_000;
    expect(await products(two, token)).toBe(401);
  });
});

describe('limits', () => {
  it('allow 60 token requests a minute for each client, independently of other clients', async () => {
    const api = await start({ limiter: countingLimiter(db.clock) });
    const busy = await newClient(db, org);
    const ask = (who: TestClient) => sendAs(api, who, '/oauth/token', { grant_type: 'client_credentials' });
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(busy)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    const refused = await ask(busy);
    expect(refused).toMatchObject({ status: 429, json: { error: 'temporarily_unavailable' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(client)).status).toBe(200);
    // Who guesses uses up nothing of the client's.
    for (let i = 0; i < 70; i++)
      await send(api, '/oauth/token', 'grant_type=client_credentials', {
        authorization: basic(client.clientId, 'guess'),
      });
    expect((await ask(client)).status).toBe(200);
    db.clock.advance(60_001);
    expect((await ask(busy)).status).toBe(200);
  });

  it('allow 100 failed authentications a minute per address, of clients and keys together', async () => {
    const api = await start({ limiter: countingLimiter(db.clock) });
    const guess = () =>
      send(api, '/oauth/token', 'grant_type=client_credentials', {
        authorization: basic(client.clientId, 'guess'),
      });
    const guesses = await Promise.all(Array.from({ length: 100 }, guess));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(100);
    expect(await guess()).toMatchObject({ status: 429, json: { error: 'temporarily_unavailable' } });
    expect((await api.call('GET', '/v2/whoami', undefined, 'nobody')).status).toBe(429);
    expect((await sendAs(api, client, '/oauth/token', { grant_type: 'client_credentials' })).status).toBe(
      200,
    );
  });

  it('count calls separately for a client and for each person it acts for', async () => {
    const small = await newOrganization(db, { edition: 'ordinary' });
    const own = await newClient(db, small);
    const people = [1, 2].map(() => newSession(db, small.organization.orgId, { role: 'viewer' }));
    const generous = await start();
    const tokens = [
      await clientToken(generous, own),
      ...(await Promise.all(people.map(async (who) => (await userTokens(generous, own, await who)).access))),
    ];
    const api = await start({ limiter: countingLimiter(db.clock) });
    for (const token of tokens) {
      const first = await api.call('GET', '/v2/whoami', undefined, token);
      expect(first.headers.get('ratelimit')).toContain('r=99');
    }
  });

  it('apply the allow-list of a client', async () => {
    const api = await start({ trustedProxies: ['127.0.0.1'] });
    const bound = await newClient(db, org, { allowList: ['192.0.2.0/24'] });
    const from = (address: string) => ({
      authorization: basic(bound.clientId, bound.clientSecret),
      'x-forwarded-for': address,
      'x-forwarded-proto': 'https',
    });
    const form = 'grant_type=client_credentials';
    expect(await send(api, '/oauth/token', form, from('198.51.100.1'))).toMatchObject({
      status: 400,
      json: { error: 'unauthorized_client' },
    });
    const { json } = await send(api, '/oauth/token', form, from('192.0.2.7'));
    const { authorization: _none, ...inside } = from('192.0.2.7');
    const { authorization: _other, ...outside } = from('198.51.100.1');
    expect((await api.call('GET', '/v2/whoami', undefined, json.access_token, inside)).status).toBe(200);
    const refused = await api.call('GET', '/v2/whoami', undefined, json.access_token, outside);
    expect(refused).toMatchObject({ status: 403, reason: 'address_not_allowed' });
  });
});

describe('the endpoints of OAuth', () => {
  it('are published under the public URL of the service', async () => {
    const api = await start({ publicUrl: 'https://lotward.example/', trustedProxies: ['127.0.0.1'] });
    const https = { 'x-forwarded-proto': 'https' };
    const answer = await fetch(`${api.url}/.well-known/oauth-authorization-server`, { headers: https });
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.json()).toMatchObject({
      issuer: 'https://lotward.example',
      token_endpoint: 'https://lotward.example/oauth/token',
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
    });
    const usual = await fetch(`${api.url}/.well-known/openid-configuration`, { headers: https });
    expect(await usual.json()).toMatchObject({
      issuer: 'https://lotward.example',
      jwks_uri: expect.any(String),
    });
    const token = await send(api, '/oauth/token', 'grant_type=client_credentials', {
      ...https,
      authorization: basic(client.clientId, client.clientSecret),
    });
    expect((await api.call('GET', '/v2/whoami', undefined, token.json.access_token, https)).status).toBe(200);
    // Another name, or none, does not sign for this one.
    const elsewhere = await start();
    const theirs = await clientToken(elsewhere, client);
    expect((await api.call('GET', '/v2/whoami', undefined, theirs, https)).status).toBe(401);
    expect((await elsewhere.call('GET', '/v2/whoami', undefined, token.json.access_token)).status).toBe(401);
  });

  it('accept HTTPS only, behind a proxy', async () => {
    const api = await start({ trustedProxies: ['127.0.0.1'] });
    const posts = ['/oauth/token', '/oauth/introspect', '/oauth/revoke', '/oauth/interaction/x'];
    for (const path of posts) {
      const answer = await send(api, path, { token: 'x' });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('invalid_request');
      expect(answer.text).toMatch(/https/i);
    }
    const gets = ['/oauth/authorize', '/oauth/jwks'];
    for (const name of ['oauth-authorization-server', 'openid-configuration'])
      gets.push(`/.well-known/${name}`);
    for (const path of gets) {
      const answer = await fetch(api.url + path);
      expect(answer.status).toBe(400);
      expect(await answer.text()).toMatch(/https/i);
    }
  });

  it('set cookies that browsers accept over HTTPS only, for the path of one authorization, out of reach of scripts', async () => {
    const api = await start({ trustedProxies: ['127.0.0.1'], publicUrl: 'https://lotward.example' });
    const query = new URLSearchParams(authorizeQuery(client, newPkce()));
    const headers = { 'x-forwarded-proto': 'https', accept: 'text/html' };
    const answer = await fetch(`${api.url}/oauth/authorize?${query}`, { headers, redirect: 'manual' });
    expect(answer.status).toBe(303);
    const cookies = answer.headers.getSetCookie().filter((line) => !/=;/.test(line));
    expect(cookies).toHaveLength(2);
    for (const line of cookies)
      expect(line).toMatch(
        /^__Secure-lotward_oauth_(interaction|resume)=[\w-]+; path=\/oauth\/(interaction|authorize)\/[\w-]+; expires=[^;]+; samesite=lax; secure; httponly$/i,
      );
  });
});

describe('clients', () => {
  it('accept the previous secret during the overlap and no longer', async () => {
    const api = await start();
    const own = await newClient(db, org);
    const ask = async (secret: string) =>
      (
        await sendAs(api, { ...own, clientSecret: secret }, '/oauth/token', {
          grant_type: 'client_credentials',
        })
      ).status;
    const token = await clientToken(api, own);
    const next = await inOrg((tx) => rotateClientSecret(tx, own.clientId, 60));
    expect([await ask(own.clientSecret), await ask(next.clientSecret)]).toEqual([200, 200]);
    db.clock.advance(60_001);
    expect([await ask(own.clientSecret), await ask(next.clientSecret)]).toEqual([401, 200]);
    const last = await inOrg((tx) => rotateClientSecret(tx, own.clientId, 0));
    expect([await ask(next.clientSecret), await ask(last.clientSecret)]).toEqual([401, 200]);
    expect(await products(api, token)).toBe(200);
    await expect(inOrg((tx) => rotateClientSecret(tx, own.clientId, 7 * 86_400 + 1))).rejects.toMatchObject({
      issues: [{ reason: 'overlap_too_long' }],
    });
  });

  it('can be renamed and given other redirect URIs, unless they are revoked or of another organization', async () => {
    const own = await newClient(db, org);
    await inOrg((tx) =>
      changeClient(tx, own.clientId, { name: 'New', redirectUris: ['http://localhost:1/x'] }),
    );
    expect(
      await db.sql('select name, redirect_uris as uris from oauth_clients where client_id = $1', [
        own.clientId,
      ]),
    ).toEqual([{ name: 'New', uris: ['http://localhost:1/x'] }]);
    await expect(
      inOrg((tx) => changeClient(tx, own.clientId, { redirectUris: ['http://evil.example/'] })),
    ).rejects.toMatchObject({ issues: [{ reason: 'bad_redirect_uri' }] });
    const foreign = await newClient(db, await newOrganization(db));
    for (const verb of [changeClient, rotateClientSecret, revokeClient])
      await expect(
        inOrg((tx) =>
          (verb as (tx: Tx, id: string, more: never) => Promise<object>)(tx, foreign.clientId, 0 as never),
        ),
      ).rejects.toMatchObject({ kind: 'missing' });
    await inOrg((tx) => revokeClient(tx, own.clientId));
    await expect(inOrg((tx) => changeClient(tx, own.clientId, { name: 'x' }))).rejects.toMatchObject({
      issues: [{ reason: 'client_revoked' }],
    });
    await expect(inOrg((tx) => rotateClientSecret(tx, own.clientId, 0))).rejects.toMatchObject({
      issues: [{ reason: 'client_revoked' }],
    });
    const audit = JSON.stringify(
      await db.sql("select * from audit_entries where entity_id = $1 and action like 'client.%'", [
        own.clientId,
      ]),
    );
    for (const action of ['client.create', 'client.change', 'client.revoke']) expect(audit).toContain(action);
    expect(audit).not.toContain(own.clientSecret);
  });

  it('are created, listed, rotated and revoked on the command line', async () => {
    const api = await start();
    const run = async (...args: string[]) => {
      const { out, err, exitCode } = await runCommand(db, ...args, '--json');
      expect(err).not.toContain('Error');
      expect(exitCode).toBe(0);
      return JSON.parse(out);
    };
    const made = await run(
      'client',
      'create',
      '--org',
      'acme',
      '--name',
      'erp',
      '--scope',
      'products:read',
      '--owner',
      'Me@Acme.example',
      '--redirect-uri',
      'https://a.example/x',
      '--redirect-uri',
      'https://b.example/y',
      '--ip',
      '127.0.0.0/8',
    );
    expect(made).toMatchObject({
      clientId: expect.stringMatching(/^lwc_/),
      owner: 'me@acme.example',
      redirectUris: ['https://a.example/x', 'https://b.example/y'],
      scopes: ['products:read'],
    });
    expect(await products(api, await clientToken(api, made))).toBe(200);
    const next = await run('client', 'rotate', made.clientId, '--overlap', '0');
    expect(await products(api, await clientToken(api, next))).toBe(200);
    expect(
      (await run('client', 'list', '--org', 'acme')).clients.map((one: TestClient) => one.clientId),
    ).toContain(made.clientId);
    await run('client', 'revoke', made.clientId);
    expect((await sendAs(api, next, '/oauth/token', { grant_type: 'client_credentials' })).json.error).toBe(
      'invalid_client',
    );
    expect((await run('signing-key', 'rotate')).keyId).toBeTruthy();
    const refused = await runCommand(
      db,
      'client',
      'create',
      '--org',
      'acme',
      '--name',
      'x',
      '--scope',
      'products:read',
      '--owner',
      'a@b',
      '--redirect-uri',
      'http://evil.example/',
    );
    expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining('/redirectUris') });
    expect((await runCommand(db, 'client', 'revoke', 'lwc_nobody')).err).toContain('There is no client');
  });
});

it('the worker removes expired artifacts and nothing else', async () => {
  const api = await start();
  const session = await newSession(db, org.organization.orgId, { role: 'viewer' });
  const { access } = await userTokens(api, client, session);
  await sendAs(api, client, '/oauth/revoke', { token: access });
  const left = async () => [
    (await db.sql('select 1 from oauth_artifacts')).length > 0,
    (await db.sql('select 1 from oauth_revoked_tokens')).length > 0,
  ];
  await removeExpiredGrants(db.database);
  expect(await left()).toEqual([true, true]);
  db.clock.advance(17 * 60_000);
  await removeExpiredGrants(db.database);
  expect(await left()).toEqual([true, false]);
  db.clock.advance(31 * 86_400_000);
  await removeExpiredGrants(db.database);
  expect(await left()).toEqual([false, false]);
});
