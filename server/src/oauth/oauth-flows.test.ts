import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  authorizeQuery,
  decide,
  newClient,
  REDIRECT_URI,
  type TestClient,
} from '../../test/access/oauth-world.js';
import { newSession, openTestService, type TestSession } from '../../test/harness/index.js';

type Service = Awaited<ReturnType<typeof openTestService>>;
const INSECURE = { [oauth.allowInsecureRequests]: true } as const;

/** As their documentation has it, and as clients do that are given nothing but the issuer and a secret. */
const WAYS = [
  ['oauth2', 'the header', oauth.ClientSecretBasic],
  ['oidc', 'the form', oauth.ClientSecretPost],
] as const;

describe.each(WAYS)('OAuth 2.0 with a client library from npm: %s, secret in %s', (algorithm, _where, by) => {
  let service: Service;
  let client: TestClient;
  let session: TestSession;
  let server: oauth.AuthorizationServer;
  let own: oauth.Client;
  let auth: oauth.ClientAuth;
  beforeAll(async () => {
    service = await openTestService({ alone: true });
    const { db, org, api } = service;
    client = await newClient(db, org);
    session = await newSession(db, org.organization.orgId, { role: 'warehouse' });
    const issuer = new URL(api.url);
    const found = await oauth.discoveryRequest(issuer, { algorithm, ...INSECURE });
    server = await oauth.processDiscoveryResponse(issuer, found);
    own = { client_id: client.clientId };
    auth = by(client.clientSecret);
  });
  afterAll(() => service.close());

  const tokenOfClient = async () => {
    const params = new URLSearchParams({ scope: 'products:read' });
    const answer = await oauth.clientCredentialsGrantRequest(server, own, auth, params, INSECURE);
    return oauth.processClientCredentialsResponse(server, own, answer);
  };
  /** Authorization, consent and exchange; what the library checks on the way fails the test. */
  const tokensOfPerson = async () => {
    const verifier = oauth.generateRandomCodeVerifier();
    const challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const state = oauth.generateRandomState();
    const asked = new URL(server.authorization_endpoint ?? '');
    asked.search = new URLSearchParams({
      ...authorizeQuery(client, { verifier, challenge }),
      state,
    }).toString();
    const back = await decide(service.api, session, Object.fromEntries(asked.searchParams));
    const params = oauth.validateAuthResponse(server, own, back, state);
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      own,
      auth,
      params,
      REDIRECT_URI,
      verifier,
      INSECURE,
    );
    return oauth.processAuthorizationCodeResponse(server, own, answer);
  };
  const introspect = async (token: string) =>
    oauth.processIntrospectionResponse(
      server,
      own,
      await oauth.introspectionRequest(server, own, auth, token, INSECURE),
    );
  const products = (token: string) => service.api.call('GET', '/v2/products', undefined, token);

  it('the description names every way to authenticate, and has what clients require', () => {
    for (const endpoint of ['token', 'introspection', 'revocation'])
      expect(server[`${endpoint}_endpoint_auth_methods_supported`]).toEqual([
        'client_secret_basic',
        'client_secret_post',
      ]);
    expect(server).toMatchObject({
      response_types_supported: ['code'],
      grant_types_supported: expect.arrayContaining(['client_credentials', 'authorization_code']),
      code_challenge_methods_supported: ['S256'],
      scopes_supported: expect.not.arrayContaining(['openid']),
    });
    const required = ['subject_types_supported', 'id_token_signing_alg_values_supported'];
    for (const name of required) expect([name, name in server]).toEqual([name, algorithm === 'oidc']);
  });

  it('a client acts for itself', async () => {
    const token = await tokenOfClient();
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 900, scope: 'products:read' });
    expect((await products(token.access_token)).status).toBe(200);
    const who = await service.api.call('GET', '/v2/whoami', undefined, token.access_token);
    expect(who.data).toMatchObject({
      credentialId: client.clientId,
      actor: 'owner@client.example',
      scopes: ['products:read'],
    });
    const stock = await service.api.call(
      'GET',
      '/v2/inventory?warehouse=WH-1',
      undefined,
      token.access_token,
    );
    expect(stock).toMatchObject({ status: 403, code: 1003 });
  });

  it('a client acts for a person with consent, refreshes, and gets a new refresh token each time', async () => {
    const first = await tokensOfPerson();
    expect(first.scope).toBe('products:read inventory:read');
    const who = await service.api.call('GET', '/v2/whoami', undefined, first.access_token);
    expect(who.data).toMatchObject({ credentialId: client.clientId, actor: session.email });
    const answer = await oauth.refreshTokenGrantRequest(
      server,
      own,
      auth,
      first.refresh_token ?? '',
      INSECURE,
    );
    const second = await oauth.processRefreshTokenResponse(server, own, answer);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await products(second.access_token)).status).toBe(200);
    expect((await products(first.access_token)).status).toBe(200);
  });

  it('a client can introspect and revoke its tokens', async () => {
    const { access_token: forItself } = await tokenOfClient();
    const { access_token: forPerson, refresh_token: refresh = '' } = await tokensOfPerson();
    expect(await introspect(forItself)).toMatchObject({
      active: true,
      client_id: client.clientId,
      sub: client.clientId,
      scope: 'products:read',
      iss: service.api.url,
      aud: `${service.api.url}/v2`,
    });
    expect(await introspect(forPerson)).toMatchObject({ active: true, username: session.email });
    expect(await introspect(refresh)).toMatchObject({ active: true, token_type: 'refresh_token' });
    for (const token of [forItself, forPerson, refresh]) {
      const revoke = () => oauth.revocationRequest(server, own, auth, token, INSECURE);
      await oauth.processRevocationResponse(await revoke());
      await oauth.processRevocationResponse(await revoke());
      expect(await introspect(token)).toEqual({ active: false });
    }
    await expect.poll(async () => (await products(forItself)).status).toBe(401);
    await expect.poll(async () => (await products(forPerson)).status).toBe(401);
  });

  it('tokens can be verified with the published keys alone', async () => {
    const { access_token: token } = await tokenOfClient();
    const keys = await (await fetch(server.jwks_uri ?? '')).json();
    const { payload: claims } = await jwtVerify(token, createLocalJWKSet(keys as JSONWebKeySet), {
      issuer: server.issuer,
      audience: `${server.issuer}/v2`,
      typ: 'at+jwt',
      currentDate: service.db.clock.now(),
    });
    expect(claims).toMatchObject({
      client_id: client.clientId,
      sub: client.clientId,
      org: service.org.organization.orgId,
    });
  });
});
