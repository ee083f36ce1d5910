import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup, type CredentialCache, limited, SCOPES, type SessionCookie } from '../access/index.js';
import type { ClientForLogin } from '../credentials/index.js';
import { REQUESTS_PER_MINUTE } from '../organizations/index.js';
import type { Database } from '../platform/database/index.js';
import { PAGE_HEADERS } from '../platform/html/index.js';
import { invalid, requireClearHeaders, toApiError } from '../platform/http/index.js';
import type { Limiter } from '../platform/rate-limit/index.js';
import type { AccessTokens } from './access-tokens.js';
import { type ClientAuthentication, clientAuthentication } from './client-authentication.js';
import { consentRoutes } from './consent.routes.js';
import { forwardRequest } from './forward-request.routes.js';
import type { Issuer } from './issuer.js';
import type { Keyring } from './keyring.js';
import { invalidRequest, OAuthError, toOAuthError } from './oauth-error.js';
import { errorPage, openProviders, PATHS, type Providers } from './provider.js';
import { openTokenEndpoints } from './token-endpoints.js';

export interface OAuthOptions {
  database: Database;
  limiter: Limiter;
  credentials: CredentialCache;
  cookie: SessionCookie;
  issuer: Issuer;
  keyring: Keyring;
  tokens: AccessTokens;
  /** Behind trusted proxies a request counts as safe only when it was forwarded as https. */
  requireHttps: boolean;
  onError(error: unknown): void;
}

const FORM = 'application/x-www-form-urlencoded';
const FORM_BYTES_MAX = 16_384;
const TOKENS_PER_MINUTE = 60;
const AUTHORIZATIONS_PER_MINUTE = 100;

/** OAuth 2.0 endpoints. They respond as their RFCs define, without the envelope. */
export async function oauthRoutes(app: FastifyInstance, options: OAuthOptions): Promise<void> {
  const providers = openProviders(options);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: FORM_BYTES_MAX }, (_request, body, done) =>
    done(null, body),
  );
  app.addHook('onRequest', (request, _reply, done) => {
    try {
      requireClearHeaders(request.raw);
      if (options.requireHttps && request.protocol !== 'https') throw invalid('https_required');
      done();
    } catch (error) {
      done(error as Error);
    }
  });
  await app.register(async (programs) => {
    programs.setErrorHandler((error, _request, reply) => {
      const failure = failureOf(error, options);
      return reply
        .code(failure.status)
        .headers(failure.headers)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(failure.body));
    });
    publishedRoutes(programs, options);
    clientRoutes(programs, options, providers);
  });
  await app.register(async (people) => {
    people.setErrorHandler((error, _request, reply) => {
      const failure = failureOf(error, options);
      return reply
        .code(failure.status)
        .headers({ ...PAGE_HEADERS, ...failure.headers })
        .send(errorPage(failure.error, failure.message));
    });
    authorizationRoutes(people, options, providers);
    consentRoutes(people, { ...options, providers });
  });
}

function failureOf(error: unknown, { onError }: OAuthOptions): OAuthError {
  if (error instanceof OAuthError) return error;
  const failure = toApiError(error);
  if (failure.kind === 'internal') onError(failure.cause ?? failure);
  return toOAuthError(failure);
}

/** Public metadata: the server description and its keys. */
function publishedRoutes(app: FastifyInstance, { issuer, keyring }: OAuthOptions): void {
  app.get('/.well-known/oauth-authorization-server', async () => metadataOf(issuer.origin()));
  // Where many clients look by default, as RFC 8414 section 5 allows. They expect two fields of OpenID Connect, which is not offered.
  app.get('/.well-known/openid-configuration', async () => ({
    ...metadataOf(issuer.origin()),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }));
  app.get(PATHS.jwks, async () => ({ keys: await keyring.published() }));
}

/** RFC 8414. */
function metadataOf(own: string) {
  const byClient = ['client_secret_basic', 'client_secret_post'];
  return {
    issuer: own,
    authorization_endpoint: own + PATHS.authorize,
    token_endpoint: own + PATHS.token,
    introspection_endpoint: own + PATHS.introspect,
    revocation_endpoint: own + PATHS.revoke,
    jwks_uri: own + PATHS.jwks,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
    token_endpoint_auth_methods_supported: byClient,
    introspection_endpoint_auth_methods_supported: byClient,
    revocation_endpoint_auth_methods_supported: byClient,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** Endpoints that clients call with their secret. */
function clientRoutes(app: FastifyInstance, options: OAuthOptions, providers: Providers): void {
  const { database, limiter, issuer, tokens } = options;
  const authenticate = clientAuthentication(database, limiter);
  const endpoints = openTokenEndpoints(database, tokens);
  const take = async (name: string, limit: number) => {
    const decision = await limiter.take(name, limit);
    if (!decision.allowed) throw limited(decision);
  };

  app.post(PATHS.token, async (request, reply) => {
    const { client, params } = await clientCall(authenticate, request);
    // Counted once the client is known, so that nobody else can use up its quota.
    await take(`tokens ${client.clientId}`, TOKENS_PER_MINUTE);
    const provider = await providers.get(issuer.origin());
    await forwardRequest(provider, request, reply, {
      method: 'POST',
      target: PATHS.token,
      // The provider compares the stored hash; our check has compared the secret itself.
      authorization: `Basic ${Buffer.from(`${client.clientId}:${client.secretHash.toString('hex')}`).toString('base64')}`,
      body: params.toString(),
    });
    return reply;
  });
  app.post(PATHS.introspect, async (request) => {
    const { client, params } = await clientCall(authenticate, request);
    await take(`client ${client.clientId}`, REQUESTS_PER_MINUTE[client.edition]);
    return endpoints.introspect(client, tokenIn(params));
  });
  app.post(PATHS.revoke, async (request, reply) => {
    const { client, params } = await clientCall(authenticate, request);
    await take(`client ${client.clientId}`, REQUESTS_PER_MINUTE[client.edition]);
    await endpoints.revoke(client, tokenIn(params), request.id);
    return reply.send();
  });
}

async function clientCall(
  authenticate: ClientAuthentication,
  request: FastifyRequest,
): Promise<{ client: ClientForLogin; params: URLSearchParams }> {
  const params = formOf(request);
  const { authorization } = request.headers;
  const client = await authenticate({ authorization, params, address: request.ip });
  // Already used; later steps must not see it.
  params.delete('client_secret');
  return { client, params };
}

function tokenIn(params: URLSearchParams): string {
  const token = params.get('token');
  if (!token) throw invalidRequest('token is missing');
  return token;
}

/** A form without repeated fields, which two readers could interpret differently. */
function formOf(request: FastifyRequest): URLSearchParams {
  const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';');
  if (mediaType.trim().toLowerCase() !== FORM) throw invalidRequest(`the body must be ${FORM}`);
  return clearParams(new URLSearchParams(String(request.body ?? '')));
}

function clearParams(params: URLSearchParams): URLSearchParams {
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name);
    if (values.length > 1) throw invalidRequest(`${name} is given more than once`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    if (/[\u0000-\u001f\u007f]/.test(name + values[0]))
      throw invalidRequest('control characters are not taken');
  }
  return params;
}

/** The pages to which apps send people, and to which people return after consent. */
function authorizationRoutes(app: FastifyInstance, options: OAuthOptions, providers: Providers): void {
  const { limiter, issuer } = options;
  const authorize = async (request: FastifyRequest, reply: FastifyReply, params: URLSearchParams) => {
    // Other response modes expose the code to scripts.
    if ((params.get('response_mode') ?? 'query') !== 'query')
      throw invalidRequest('only the response mode query is supported');
    // Each leaves a row behind until it expires.
    const who = `authorizations ${addressGroup(request.ip)}`;
    const decision = await limiter.take(who, AUTHORIZATIONS_PER_MINUTE);
    if (!decision.allowed) throw limited(decision);
    const provider = await providers.get(issuer.origin());
    await forwardRequest(provider, request, reply, { method: 'GET', target: `${PATHS.authorize}?${params}` });
    return reply;
  };
  app.get(PATHS.authorize, { exposeHeadRoute: false }, (request, reply) =>
    authorize(request, reply, clearParams(queryOf(request))),
  );
  app.post(PATHS.authorize, (request, reply) => authorize(request, reply, formOf(request)));
  app.get<{ Params: { uid: string } }>(
    `${PATHS.authorize}/:uid`,
    { exposeHeadRoute: false },
    async (request, reply) => {
      const provider = await providers.get(issuer.origin());
      const target = `${PATHS.authorize}/${encodeURIComponent(request.params.uid)}`;
      await forwardRequest(provider, request, reply, { method: 'GET', target });
      return reply;
    },
  );
}

const queryOf = ({ raw }: FastifyRequest): URLSearchParams => {
  const { url = '' } = raw;
  const at = url.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
};
