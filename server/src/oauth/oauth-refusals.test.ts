import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  authorizeQuery,
  basic,
  browser,
  codeForm,
  locationOf,
  newClient,
  newCode,
  newPkce,
  type OAuthAnswer,
  type Pkce,
  REDIRECT_URI,
  send,
  sendAs,
  type TestClient,
  userTokens,
} from '../../test/access/oauth-world.js';
import { newOrganization, newSession, openTestService, type TestSession } from '../../test/harness/index.js';

type Service = Awaited<ReturnType<typeof openTestService>>;

let service: Service;
let client: TestClient;
let other: TestClient;
let foreign: TestClient;
let session: TestSession;
beforeAll(async () => {
  service = await openTestService({ alone: true });
  const { db, org } = service;
  client = await newClient(db, org);
  other = await newClient(db, org);
  foreign = await newClient(db, await newOrganization(db));
  session = await newSession(db, org.organization.orgId, { role: 'warehouse' });
});
afterAll(() => service.close());

const kept = async (...models: string[]) => {
  const [row] = await service.db.sql<{ count: number }>(
    'select count(*)::int as count from oauth_artifacts where model = any($1)',
    [models],
  );
  return row?.count;
};

describe('an authorization that is refused', () => {
  const pkce = newPkce();
  type Query = Record<string, string | undefined>;
  const ask = async (change: Query, target?: (query: URLSearchParams) => string) => {
    const query = Object.entries({ ...authorizeQuery(client, pkce), ...change }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const params = new URLSearchParams(query);
    return browser(service.api, session).open(target?.(params) ?? `/oauth/authorize?${params}`);
  };
  let before: number | undefined;
  beforeEach(async () => {
    before = await kept('Interaction', 'AuthorizationCode', 'Grant');
  });

  /** Nobody is sent anywhere: the address is not known to be the client's. */
  const shown: [string, Query, number, string][] = [
    ['no client', { client_id: undefined }, 400, 'invalid_request'],
    ['an unknown client', { client_id: 'lwc_nobody' }, 400, 'invalid_client'],
    ['a client id with a zero in it', { client_id: 'lwc_\0' }, 400, 'invalid_request'],
    ['no redirect address', { redirect_uri: undefined }, 400, 'invalid_request'],
    ['another address', { redirect_uri: 'https://evil.example/back' }, 400, 'invalid_redirect_uri'],
    [
      'a longer host',
      { redirect_uri: REDIRECT_URI.replace('.example/', '.example.evil.example/') },
      400,
      'invalid_redirect_uri',
    ],
    [
      'a host before it',
      { redirect_uri: REDIRECT_URI.replace('app.', 'evil-app.') },
      400,
      'invalid_redirect_uri',
    ],
    [
      'another port',
      { redirect_uri: REDIRECT_URI.replace('.example/', '.example:8443/') },
      400,
      'invalid_redirect_uri',
    ],
    [
      'the default port',
      { redirect_uri: REDIRECT_URI.replace('.example/', '.example:443/') },
      400,
      'invalid_redirect_uri',
    ],
    ['http', { redirect_uri: REDIRECT_URI.replace('https', 'http') }, 400, 'invalid_redirect_uri'],
    ['a slash more', { redirect_uri: REDIRECT_URI.replace('/back', '/back/') }, 400, 'invalid_redirect_uri'],
    [
      'a longer path',
      { redirect_uri: REDIRECT_URI.replace('/back', '/back/../evil') },
      400,
      'invalid_redirect_uri',
    ],
    [
      'other capitals in the path',
      { redirect_uri: REDIRECT_URI.replace('/back', '/Back') },
      400,
      'invalid_redirect_uri',
    ],
    [
      'other capitals in the host',
      { redirect_uri: REDIRECT_URI.replace('app', 'APP') },
      400,
      'invalid_redirect_uri',
    ],
    ['another query', { redirect_uri: `${REDIRECT_URI}&next=evil` }, 400, 'invalid_redirect_uri'],
    ['no query', { redirect_uri: REDIRECT_URI.replace(/\?.*/, '') }, 400, 'invalid_redirect_uri'],
    [
      'a user name',
      { redirect_uri: REDIRECT_URI.replace('https://', 'https://evil@') },
      400,
      'invalid_redirect_uri',
    ],
    ['a fragment', { redirect_uri: `${REDIRECT_URI}#evil` }, 400, 'invalid_redirect_uri'],
    ['a space behind it', { redirect_uri: `${REDIRECT_URI} ` }, 400, 'invalid_redirect_uri'],
    ['the loopback', { redirect_uri: 'http://127.0.0.1:3000/back' }, 400, 'invalid_redirect_uri'],
    ['an answer by form', { response_mode: 'form_post' }, 400, 'invalid_request'],
    ['an answer in the fragment', { response_mode: 'fragment' }, 400, 'invalid_request'],
    ['a script', { redirect_uri: 'javascript:alert(1)' }, 400, 'invalid_redirect_uri'],
  ];
  it.each(shown)('shows an error page without a redirect: %s', async (_name, change, status, error) => {
    const answer = await ask(change);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(`<code>${error}</code>`);
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(locationOf(answer)).toBe('');
    expect(await kept('Interaction', 'AuthorizationCode', 'Grant')).toBe(before);
  });

  const sentBack: [string, Query, string][] = [
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['a token at once', { response_type: 'token' }, 'unsupported_response_type'],
    ['code and token', { response_type: 'code token' }, 'unsupported_response_type'],
    ['an ID token', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['an unknown response type', { response_type: 'none' }, 'unsupported_response_type'],
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['PKCE without its method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a method without a challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['a challenge that is none', { code_challenge: `${'a'.repeat(42)}!` }, 'invalid_request'],
    ['a scope that the client lacks', { scope: 'products:read orders:write' }, 'invalid_scope'],
    ['an unknown scope', { scope: 'products:read everything' }, 'invalid_scope'],
    ['openid', { scope: 'openid products:read' }, 'invalid_scope'],
    ['another resource', { resource: 'https://elsewhere.example/v2' }, 'invalid_target'],
    ['nobody to be asked', { prompt: 'none' }, 'login_required'],
    ['an unknown prompt', { prompt: 'create' }, 'invalid_request'],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['a request elsewhere', { request_uri: 'https://evil.example/request' }, 'request_uri_not_supported'],
    [
      'claims of a person',
      { claims: '{"userinfo":{"email":null}}', id_token_hint: 'e30.e30.' },
      'invalid_request',
    ],
  ];
  it.each(sentBack)(
    'redirects to the app with the error and without a code: %s',
    async (_name, change, error) => {
      const answer = await ask(change);
      const back = locationOf(answer);
      expect(back.startsWith(REDIRECT_URI)).toBe(true);
      const { searchParams } = new URL(back.replace('#', '&'));
      expect(searchParams.get('error')).toBe(error);
      expect(searchParams.get('state')).toBe('a state');
      expect(searchParams.get('iss')).toBe(service.api.url);
      expect(searchParams.get('code')).toBeNull();
      expect(await kept('Interaction', 'AuthorizationCode', 'Grant')).toBe(before);
    },
  );

  it('rejects a repeated parameter', async () => {
    const answer = await ask({}, (params) => `/oauth/authorize?${params}&state=another`);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('<code>invalid_request</code>');
    expect(await kept('Interaction')).toBe(await kept('Interaction'));
  });
});

describe('a token request that is refused', () => {
  const asClient = () => basic(client.clientId, client.clientSecret);
  const own = { grant_type: 'client_credentials', scope: 'products:read' };
  const expectRefused = async (answer: OAuthAnswer, status: number, error: string, before?: number) => {
    expect({ status: answer.status, error: answer.json?.error }).toEqual({ status, error });
    expect(answer.json).not.toHaveProperty('access_token');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.has('www-authenticate')).toBe(status === 401);
    if (before !== undefined) expect(await kept('RefreshToken')).toBe(before);
  };

  const credentials: [string, () => string | undefined, number, string][] = [
    ['nobody', () => undefined, 401, 'invalid_client'],
    ['a wrong secret', () => basic(client.clientId, 'nope'), 401, 'invalid_client'],
    ['no secret', () => basic(client.clientId, ''), 401, 'invalid_client'],
    ['the secret of another client', () => basic(client.clientId, other.clientSecret), 401, 'invalid_client'],
    [
      'the hash in place of the secret',
      () => basic(client.clientId, createHash('sha256').update(client.clientSecret).digest('hex')),
      401,
      'invalid_client',
    ],
    ['an unknown client', () => basic('lwc_nobody', client.clientSecret), 401, 'invalid_client'],
    ['a client id with a zero in it', () => basic('lwc_%00', 'x'), 401, 'invalid_client'],
    ['no colon', () => `Basic ${Buffer.from('lwc_nobody').toString('base64')}`, 401, 'invalid_client'],
    ['no base64', () => 'Basic !!!', 401, 'invalid_client'],
    ['an empty header', () => 'Basic', 401, 'invalid_client'],
    ['bad percent signs', () => basic('%zz', '%zz'), 401, 'invalid_client'],
    ['another scheme', () => `Bearer ${client.clientSecret}`, 401, 'invalid_client'],
    ['an API key', () => `Bearer ${service.org.key}`, 401, 'invalid_client'],
  ];
  it.each(credentials)('fails client authentication: %s', async (_name, authorization, status, error) => {
    const header = authorization();
    const answer = await send(
      service.api,
      '/oauth/token',
      own,
      header === undefined ? {} : { authorization: header },
    );
    await expectRefused(answer, status, error);
  });
  const posted = (part: object) => ({
    ...own,
    client_id: client.clientId,
    client_secret: client.clientSecret,
    ...part,
  });
  const inForm: [string, () => Record<string, string>][] = [
    ['a wrong secret', () => posted({ client_secret: 'nope' })],
    ['an empty secret', () => posted({ client_secret: '' })],
    ['the secret of another client', () => posted({ client_secret: other.clientSecret })],
    ['an unknown client', () => posted({ client_id: 'lwc_nobody' })],
    ['no client', () => ({ ...own, client_secret: client.clientSecret })],
    ['no secret', () => ({ ...own, client_id: client.clientId })],
  ];
  it.each(inForm)('fails client authentication in the form: %s', async (_name, form) => {
    await expectRefused(await send(service.api, '/oauth/token', form()), 401, 'invalid_client');
  });
  it('does not accept the secret twice, in the query, or with control characters', async () => {
    const both = await send(service.api, '/oauth/token', posted({}), { authorization: asClient() });
    await expectRefused(both, 400, 'invalid_request');
    const query = `/oauth/token?client_id=${client.clientId}&client_secret=${client.clientSecret}`;
    await expectRefused(await send(service.api, query, own), 401, 'invalid_client');
    const twice = `${new URLSearchParams(posted({}))}&client_secret=${client.clientSecret}`;
    await expectRefused(await send(service.api, '/oauth/token', twice), 400, 'invalid_request');
    const odd = posted({ client_id: `${client.clientId}\u0000` });
    await expectRefused(await send(service.api, '/oauth/token', odd), 400, 'invalid_request');
  });

  const forms: [string, () => Record<string, string> | string, number, string][] = [
    ['no grant type', () => ({ scope: 'products:read' }), 400, 'invalid_request'],
    [
      'a password',
      () => ({ grant_type: 'password', username: 'a', password: 'b' }),
      400,
      'unsupported_grant_type',
    ],
    ['implicit', () => ({ grant_type: 'implicit' }), 400, 'unsupported_grant_type'],
    [
      'a device',
      () => ({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x' }),
      400,
      'unsupported_grant_type',
    ],
    [
      'a scope that the client lacks',
      () => ({ ...own, scope: 'products:read orders:write' }),
      400,
      'invalid_scope',
    ],
    ['an unknown scope', () => ({ ...own, scope: 'everything' }), 400, 'invalid_scope'],
    ['openid', () => ({ ...own, scope: 'openid' }), 400, 'invalid_scope'],
    ['a scope that is none', () => ({ ...own, scope: 'products:read "' }), 400, 'invalid_scope'],
    ['another resource', () => ({ ...own, resource: 'https://elsewhere.example/v2' }), 400, 'invalid_target'],
    ['a resource that is none', () => ({ ...own, resource: 'elsewhere' }), 400, 'invalid_target'],
    ['another client id', () => ({ ...own, client_id: other.clientId }), 400, 'invalid_request'],
    [
      'a doubled parameter',
      () => 'grant_type=client_credentials&grant_type=client_credentials',
      400,
      'invalid_request',
    ],
    [
      'a doubled scope',
      () => 'grant_type=client_credentials&scope=products:read&scope=inventory:read',
      400,
      'invalid_request',
    ],
    [
      'no code',
      () => ({ grant_type: 'authorization_code', redirect_uri: REDIRECT_URI }),
      400,
      'invalid_request',
    ],
    ['an invented code', () => codeForm('made-up', newPkce()), 400, 'invalid_grant'],
    [
      'an invented refresh token',
      () => ({ grant_type: 'refresh_token', refresh_token: 'made-up' }),
      400,
      'invalid_grant',
    ],
    ['no refresh token', () => ({ grant_type: 'refresh_token' }), 400, 'invalid_request'],
    ['an empty form', () => '', 400, 'invalid_request'],
    ['more than 16 KiB', () => ({ ...own, scope: 'a'.repeat(20_000) }), 400, 'invalid_request'],
  ];
  it.each(forms)('rejects the form: %s', async (_name, form, status, error) => {
    const before = await kept('RefreshToken');
    await expectRefused(await sendAs(service.api, client, '/oauth/token', form()), status, error, before);
  });
  it.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
    'does not read %s',
    async (type) => {
      const headers = { authorization: asClient(), 'content-type': type };
      const answer = await send(service.api, '/oauth/token', JSON.stringify(own), headers);
      await expectRefused(answer, 400, 'invalid_request');
    },
  );
  it('cannot be sent with GET', async () => {
    const answer = await service.api.call(
      'GET',
      '/oauth/token?grant_type=client_credentials',
      undefined,
      undefined,
      { authorization: asClient() },
    );
    expect(answer).toMatchObject({ status: 404, code: 1004 });
  });

  describe('with a code', () => {
    let code: string;
    let pkce: Pkce;
    beforeEach(async () => {
      ({ code, pkce } = await newCode(service.api, client, session));
    });
    const cases: [
      string,
      () => TestClient,
      (form: Record<string, string>) => Record<string, string>,
      string,
    ][] = [
      ['of another client', () => other, (form) => form, 'invalid_grant'],
      ['of a client of another organization', () => foreign, (form) => form, 'invalid_grant'],
      ['without the verifier', () => client, ({ code_verifier: _gone, ...form }) => form, 'invalid_grant'],
      [
        'with another verifier',
        () => client,
        (form) => ({ ...form, code_verifier: newPkce().verifier }),
        'invalid_grant',
      ],
      [
        'with the challenge as verifier',
        () => client,
        (form) => ({ ...form, code_verifier: pkce.challenge }),
        'invalid_grant',
      ],
      [
        'with a short verifier',
        () => client,
        (form) => ({ ...form, code_verifier: 'short' }),
        'invalid_request',
      ],
      [
        'with another redirect address',
        () => client,
        (form) => ({ ...form, redirect_uri: 'https://evil.example/back' }),
        'invalid_grant',
      ],
      [
        'without the redirect address',
        () => client,
        ({ redirect_uri: _gone, ...form }) => form,
        'invalid_request',
      ],
      [
        'for another resource',
        () => client,
        (form) => ({ ...form, resource: `${service.api.url}/v3` }),
        'invalid_target',
      ],
      [
        'as a refresh token',
        () => client,
        () => ({ grant_type: 'refresh_token', refresh_token: code }),
        'invalid_grant',
      ],
    ];
    it.each(cases)('%s', async (_name, who, change, error) => {
      const before = await kept('RefreshToken');
      const answer = await sendAs(service.api, who(), '/oauth/token', change(codeForm(code, pkce)));
      await expectRefused(answer, 400, error, before);
    });
    it('that is a minute old', async () => {
      service.db.clock.advance(61_000);
      const answer = await sendAs(service.api, client, '/oauth/token', codeForm(code, pkce));
      await expectRefused(answer, 400, 'invalid_grant');
    });
    it('that was used before, at any time, which also ends its tokens', async () => {
      const first = await sendAs(service.api, client, '/oauth/token', codeForm(code, pkce));
      expect(first.status).toBe(200);
      service.db.clock.advance(5 * 60_000);
      const again = await sendAs(service.api, client, '/oauth/token', codeForm(code, pkce));
      await expectRefused(again, 400, 'invalid_grant');
      const refresh = { grant_type: 'refresh_token', refresh_token: first.json.refresh_token };
      await expectRefused(await sendAs(service.api, client, '/oauth/token', refresh), 400, 'invalid_grant');
      const call = await service.api.call('GET', '/v2/products', undefined, first.json.access_token);
      expect(call).toMatchObject({ status: 401, code: 1002 });
    });
  });

  describe('with a refresh token', () => {
    let refresh: string;
    let access: string;
    beforeEach(async () => {
      ({ refresh, access } = await userTokens(service.api, client, session));
    });
    const form = (more: Record<string, string> = {}) => ({
      grant_type: 'refresh_token',
      refresh_token: refresh,
      ...more,
    });
    const cases: [string, () => TestClient, () => Record<string, string>, string][] = [
      ['of another client', () => other, () => form(), 'invalid_grant'],
      ['of a client of another organization', () => foreign, () => form(), 'invalid_grant'],
      [
        'for a scope nobody agreed to',
        () => client,
        () => form({ scope: 'products:read settings:read' }),
        'invalid_scope',
      ],
      ['for a scope the client lacks', () => client, () => form({ scope: 'orders:write' }), 'invalid_scope'],
      [
        'for another resource',
        () => client,
        () => form({ resource: 'https://elsewhere.example/v2' }),
        'invalid_target',
      ],
      [
        'that is an access token',
        () => client,
        () => ({ ...form(), refresh_token: access }),
        'invalid_grant',
      ],
      ['as a code', () => client, () => codeForm(refresh, newPkce()), 'invalid_grant'],
    ];
    it.each(cases)('%s', async (_name, who, given, error) => {
      await expectRefused(await sendAs(service.api, who(), '/oauth/token', given()), 400, error);
    });
    it('that was used before, which also ends the grant', async () => {
      const next = await sendAs(service.api, client, '/oauth/token', form());
      expect(next.status).toBe(200);
      await expectRefused(await sendAs(service.api, client, '/oauth/token', form()), 400, 'invalid_grant');
      const newest = form({ refresh_token: next.json.refresh_token });
      await expectRefused(await sendAs(service.api, client, '/oauth/token', newest), 400, 'invalid_grant');
      for (const token of [access, next.json.access_token]) {
        const call = await service.api.call('GET', '/v2/products', undefined, token);
        expect(call).toMatchObject({ status: 401, code: 1002 });
      }
    });
    it('30 days after the consent, however often it was refreshed', async () => {
      for (let week = 0; week < 4; week++) {
        service.db.clock.advance(7 * 86_400_000);
        const answer = await sendAs(service.api, client, '/oauth/token', form());
        expect(answer.status).toBe(200);
        refresh = answer.json.refresh_token;
      }
      service.db.clock.advance(2 * 86_400_000);
      await expectRefused(await sendAs(service.api, client, '/oauth/token', form()), 400, 'invalid_grant');
      session = await newSession(service.db, service.org.organization.orgId, { role: 'warehouse' });
    });
  });
});
