import {
  createHmac,
  createPrivateKey,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeClient } from '../../src/credentials/index.js';
import { updateOrganization } from '../../src/organizations/index.js';
import { transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { secretBox } from '../../src/platform/secrets/index.js';
import {
  type Answer,
  newOrganization,
  newSession,
  openTestService,
  TEST_SECRET_KEY,
  type TestSession,
} from '../harness/index.js';
import { clientToken, newClient, send, sendAs, type TestClient, userTokens } from './oauth-world.js';

type Service = Awaited<ReturnType<typeof openTestService>>;
type Claims = Record<string, unknown>;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const payloadOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const rs256 = (key: KeyObject, header: object, claims: object): string => {
  const body = `${part(header)}.${part(claims)}`;
  return `${body}.${createSign('sha256').update(body).sign(key).toString('base64url')}`;
};

describe('an access token at the API', () => {
  let service: Service;
  let client: TestClient;
  let session: TestSession;
  let good: string;
  let kid: string;
  let ownKey: KeyObject;
  let publicJwk: Record<string, unknown>;
  const strange = generateKeyPairSync('rsa', { modulusLength: 2048 });
  // The cache's clock advances on each read, so that nothing is answered from the cache.
  let monotonic = 0;
  beforeAll(async () => {
    service = await openTestService({ monotonicMs: () => (monotonic += 2_000) });
    const { db, org, api } = service;
    client = await newClient(db, org);
    session = await newSession(db, org.organization.orgId, { role: 'warehouse' });
    good = await clientToken(api, client, 'products:read');
    const [row] = await db.sql<{
      key_id: string;
      private_sealed: string;
      public_jwk: Record<string, unknown>;
    }>('select * from signing_keys');
    if (!row) throw new Error('no key');
    kid = row.key_id;
    publicJwk = row.public_jwk;
    const place = { purpose: 'signing key', orgId: null, id: kid };
    const jwk = JSON.parse(secretBox([TEST_SECRET_KEY]).open(row.private_sealed, place));
    ownKey = createPrivateKey({ key: jwk, format: 'jwk' });
  });
  afterAll(() => service.close());

  const products = (token: string): Promise<Answer> =>
    service.api.call('GET', '/v2/products', undefined, token);
  /** The response equals that to an unknown key: nothing reveals what was wrong. */
  const expectRefused = async (token: string) => {
    const plain = ({ status, json, headers }: Answer) => ({
      status,
      body: { ...json, requestId: '' },
      challenge: headers.get('www-authenticate'),
    });
    const answer = plain(await products(token));
    expect(answer).toEqual(plain(await products('lw_0000000000000000_nothing')));
    expect(answer).toMatchObject({ status: 401, body: { code: 1002 } });
  };
  const header = () => ({ alg: 'RS256', typ: 'at+jwt', kid });
  /** Signed with our own key, so only its claims can be wrong. */
  const signed = (change: Claims = {}, headers: object = {}) =>
    rs256(ownKey, { ...header(), ...headers }, { ...payloadOf(good), jti: randomUUID(), ...change });
  const seconds = () => Math.floor(service.db.clock.now().getTime() / 1000);

  it('is accepted with our signature', async () => {
    expect((await products(good)).status).toBe(200);
    expect((await products(signed())).status).toBe(200);
  });

  const forgeries: [string, () => string][] = [
    ['without a signature', () => `${part({ alg: 'none', typ: 'at+jwt' })}.${good.split('.')[1]}.`],
    [
      'with "none" and a signature',
      () => `${part({ ...header(), alg: 'none' })}.${good.split('.')[1]}.${good.split('.')[2]}`,
    ],
    [
      'signed with our public key as a secret',
      () => {
        const body = `${part({ ...header(), alg: 'HS256' })}.${good.split('.')[1]}`;
        return `${body}.${createHmac('sha256', JSON.stringify(publicJwk)).update(body).digest('base64url')}`;
      },
    ],
    ['signed by somebody else', () => rs256(strange.privateKey, header(), payloadOf(good))],
    [
      'with a key of its own in the header',
      () =>
        rs256(
          strange.privateKey,
          { ...header(), jwk: strange.publicKey.export({ format: 'jwk' }) },
          payloadOf(good),
        ),
    ],
    [
      'with an address of keys in the header',
      () =>
        rs256(
          strange.privateKey,
          { ...header(), jku: 'http://127.0.0.1:1/jwks', x5u: 'http://127.0.0.1:1' },
          payloadOf(good),
        ),
    ],
    ['with an unknown key', () => signed({}, { kid: 'nobody' })],
    ['without a key', () => signed({}, { kid: undefined })],
    ['with a number as key', () => signed({}, { kid: 7 })],
    ['with a path as key', () => signed({}, { kid: '../../dev/null' })],
    ['that demands to be understood', () => signed({}, { crit: ['exp'], exp: 1 })],
    ['with another algorithm', () => signed({}, { alg: 'RS512' })],
    ['with another type', () => signed({}, { typ: 'JWT' })],
    ['without a type', () => signed({}, { typ: undefined })],
    ['for somebody else', () => signed({ aud: 'https://elsewhere.example/v2' })],
    ['for nobody', () => signed({ aud: undefined })],
    ['for several', () => signed({ aud: [`${service.api.url}/v2`, 'https://elsewhere.example'] })],
    ['for another version', () => signed({ aud: `${service.api.url}/v3` })],
    [
      'of another issuer',
      () => signed({ iss: 'https://elsewhere.example', aud: 'https://elsewhere.example/v2' }),
    ],
    [
      'of an issuer that looks like ours',
      () => signed({ iss: 'http://127.0.0.1.evil.example', aud: 'http://127.0.0.1.evil.example/v2' }),
    ],
    [
      'of ours under https',
      () =>
        signed({
          iss: service.api.url.replace('http', 'https'),
          aud: `${service.api.url.replace('http', 'https')}/v2`,
        }),
    ],
    ['of ours with a path', () => signed({ iss: `${service.api.url}/x`, aud: `${service.api.url}/x/v2` })],
    [
      'of ours but for another of ours',
      () => signed({ iss: 'http://127.0.0.1:1', aud: `${service.api.url}/v2` }),
    ],
    ['of no issuer', () => signed({ iss: undefined })],
    ['expired', () => signed({ exp: seconds() - 6 })],
    ['that never expires', () => signed({ exp: undefined })],
    ['not valid yet', () => signed({ nbf: seconds() + 60 })],
    ['made in the future', () => signed({ iat: seconds() + 60 })],
    ['made at no time', () => signed({ iat: undefined })],
    ['without an id', () => signed({ jti: undefined })],
    ['without a client', () => signed({ client_id: undefined })],
    ['without a subject', () => signed({ sub: undefined })],
    ['without scopes', () => signed({ scope: undefined })],
    ['with a list of scopes', () => signed({ scope: ['products:read'] })],
    ['without an organization', () => signed({ org: undefined })],
    ['of an unknown client', () => signed({ client_id: 'lwc_nobody', sub: 'lwc_nobody' })],
    ['in another organization', () => signed({ org: 'org_00000000000000000000000000' })],
    ['for a person without a grant', () => signed({ sub: session.userId })],
    ['with a grant nobody gave', () => signed({ sub: session.userId, gid: 'AAAA' })],
    ['with a grant that is none', () => signed({ sub: session.userId, gid: 7 })],
    [
      'with other claims',
      () => good.replace(/\.[^.]+\./, `.${part({ ...payloadOf(good), scope: 'settings:write' })}.`),
    ],
    ['with another signature', () => `${good.slice(0, -4)}AAAA`],
    ['cut short', () => good.slice(0, -1)],
    ['with a part more', () => `${good}.AAAA`],
    ['of dots', () => '..'],
    ['that is not JSON', () => `${Buffer.from('no').toString('base64url')}.AAAA.AAAA`],
  ];
  it.each(forgeries)('is refused like an unknown key: %s', async (_name, forge) => {
    await expectRefused(forge());
    expect((await products(good)).status).toBe(200);
  });

  it('is accepted with a clock skew of up to five seconds', async () => {
    expect((await products(signed({ exp: seconds() - 4 }))).status).toBe(200);
    expect((await products(signed({ nbf: seconds() + 4, iat: seconds() + 4 }))).status).toBe(200);
  });

  it('never allows more than its client has, even if it lists more scopes', async () => {
    const who = await service.api.call<{ scopes: string[] }>(
      'GET',
      '/v2/whoami',
      undefined,
      signed({ scope: 'products:read orders:write nonsense' }),
    );
    expect(who.data.scopes).toEqual(['products:read']);
  });

  it('is neither a refresh token nor a client secret', async () => {
    const { refresh } = await userTokens(service.api, client, session);
    for (const token of [refresh, client.clientSecret, client.clientId]) await expectRefused(token);
  });

  it('is refused after its expiry', async () => {
    const token = await clientToken(service.api, client);
    service.db.clock.advance(904_000);
    expect((await products(token)).status).toBe(200);
    service.db.clock.advance(2_000);
    await expectRefused(token);
    good = await clientToken(service.api, client, 'products:read');
  });

  describe('is refused after', () => {
    const world = async () => {
      const org = await newOrganization(service.db);
      const { orgId } = org.organization;
      const own = await newClient(service.db, org, {
        scopes: ['products:read', 'inventory:read', 'inventory:write'],
      });
      const person = await newSession(service.db, orgId, { role: 'warehouse' });
      const scope = 'products:read inventory:write';
      const tokens = await userTokens(service.api, own, person, { scope });
      const forItself = await clientToken(service.api, own);
      const refresh = () =>
        sendAs(service.api, own, '/oauth/token', {
          grant_type: 'refresh_token',
          refresh_token: tokens.refresh,
        });
      const principal = systemPrincipal(orgId, 'operator@test.example');
      for (const token of [tokens.access, forItself]) expect((await products(token)).status).toBe(200);
      return { org, orgId, own, person, tokens, forItself, refresh, principal };
    };

    it('the client is revoked', async () => {
      const { own, tokens, forItself, refresh, principal } = await world();
      await transact(service.db.database, principal, (tx) => revokeClient(tx, own.clientId));
      for (const token of [tokens.access, forItself]) await expectRefused(token);
      expect(await refresh()).toMatchObject({ status: 401, json: { error: 'invalid_client' } });
      const form = { token: forItself };
      expect((await sendAs(service.api, own, '/oauth/introspect', form)).json.error).toBe('invalid_client');
    });

    it('the organization is suspended', async () => {
      const { org, own, tokens, forItself, refresh } = await world();
      await updateOrganization(service.db.database, 'operator@test.example', org.organization.orgId, {
        status: 'suspended',
      });
      for (const token of [tokens.access, forItself]) await expectRefused(token);
      expect(await refresh()).toMatchObject({ status: 401, json: { error: 'invalid_client' } });
      const page = await fetch(`${service.api.url}/oauth/authorize?client_id=${own.clientId}`);
      expect(await page.text()).toContain('<code>invalid_client</code>');
    });

    it('the person is removed', async () => {
      const { orgId, person, tokens, forItself, refresh } = await world();
      await service.db.sql("update users set status = 'removed' where org_id = $1 and user_id = $2", [
        orgId,
        person.userId,
      ]);
      await expectRefused(tokens.access);
      expect((await products(forItself)).status).toBe(200);
      expect(await refresh()).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    });

    it('the role is lowered', async () => {
      const { orgId, person, tokens } = await world();
      await service.db.sql("update users set role = 'viewer' where org_id = $1 and user_id = $2", [
        orgId,
        person.userId,
      ]);
      const who = await service.api.call<{ scopes: string[] }>('GET', '/v2/whoami', undefined, tokens.access);
      expect(who.data.scopes).toEqual(['products:read']);
    });

    it('its refresh token is revoked, which ends the grant', async () => {
      const { own, tokens, forItself, refresh } = await world();
      expect((await sendAs(service.api, own, '/oauth/revoke', { token: tokens.refresh })).status).toBe(200);
      await expectRefused(tokens.access);
      expect((await products(forItself)).status).toBe(200);
      expect(await refresh()).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    });

    it('it is revoked itself; other tokens stay valid', async () => {
      const { own, tokens, forItself } = await world();
      expect((await sendAs(service.api, own, '/oauth/revoke', { token: forItself })).status).toBe(200);
      await expectRefused(forItself);
      expect((await products(tokens.access)).status).toBe(200);
    });
  });

  it('of another client can be neither introspected nor revoked', async () => {
    const other = await newClient(service.db, service.org);
    const { access, refresh } = await userTokens(service.api, client, session);
    for (const token of [good, access, refresh]) {
      expect((await sendAs(service.api, other, '/oauth/introspect', { token })).json).toEqual({
        active: false,
      });
      const ended = await sendAs(service.api, other, '/oauth/revoke', { token });
      expect(ended).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
      expect((await sendAs(service.api, client, '/oauth/introspect', { token })).json.active).toBe(true);
    }
  });

  it.each(['/oauth/introspect', '/oauth/revoke'])(
    '%s requires client authentication and a token',
    async (path) => {
      expect(await send(service.api, path, { token: good })).toMatchObject({
        status: 401,
        json: { error: 'invalid_client' },
      });
      expect(await sendAs(service.api, client, path, {})).toMatchObject({
        status: 400,
        json: { error: 'invalid_request' },
      });
      expect(await sendAs(service.api, client, path, 'token=a&token=b')).toMatchObject({
        status: 400,
        json: { error: 'invalid_request' },
      });
      expect((await sendAs(service.api, client, path, { token: 'nothing' })).status).toBe(200);
    },
  );
});
