import type { Adapter, ClientMetadata, Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { SCOPES } from '../access/index.js';
import { type ClientForLogin, isUsable, readClientForLogin } from '../credentials/index.js';
import { readActiveUser } from '../people/index.js';
import type { Database } from '../platform/database/index.js';
import { escapeHtml, htmlPage, PAGE_HEADERS } from '../platform/html/index.js';
import { hashToken } from '../platform/secrets/index.js';
import { artifactsOf, emptyAdapter } from './artifacts.js';
import { readGrantHolder } from './grant.store.js';
import { audienceOf } from './issuer.js';
import type { Keyring } from './keyring.js';

export const PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  jwks: '/oauth/jwks',
  introspect: '/oauth/introspect',
  revoke: '/oauth/revoke',
  interaction: '/oauth/interaction',
} as const;

const ACCESS_TOKEN_SECONDS = 900;
const CODE_SECONDS = 60;
const INTERACTION_SECONDS = 30 * 60;
/** Counted from the consent. Rotating a refresh token does not extend it: all tokens end with the grant. */
export const GRANT_SECONDS = 30 * 86_400;
/** The resource of every grant. Independent of the issuer, which may differ between processes. */
export const API_RESOURCE = 'urn:lotward:api';

export interface ProviderOptions {
  database: Database;
  keyring: Keyring;
  onError(error: unknown): void;
}

export interface Providers {
  /** The provider for this issuer, with the key that signs now. */
  get(issuer: string): Promise<Provider>;
}

/** Each provider has one signing key and is replaced when another key signs; its state is in the database. */
export function openProviders(options: ProviderOptions): Providers {
  let made: { name: string; provider: Promise<Provider> } | null = null;
  return {
    async get(issuer) {
      const { keyId, privateJwk } = await options.keyring.signing();
      const name = `${keyId} ${issuer}`;
      if (made?.name !== name) made = { name, provider: makeProvider(options, issuer, privateJwk) };
      return made.provider;
    },
  };
}

/** Loaded on first use: the command line does not need it. */
const library = () => import('oidc-provider');
type Library = Awaited<ReturnType<typeof library>>;

async function makeProvider(options: ProviderOptions, issuer: string, signingKey: object): Promise<Provider> {
  const oidc = await library();
  const provider = new oidc.Provider(issuer, configuration(oidc, options, issuer, signingKey));
  // `forwardRequest` sets the forwarded headers, so that nothing depends on the caller's Host header.
  provider.proxy = true;
  provider.on('server_error', (_ctx, error) => options.onError(error));
  provider.use(async (ctx, next) => {
    await next();
    for (const header of ['access-control-allow-origin', 'access-control-expose-headers', 'vary'])
      ctx.remove(header);
  });
  return provider;
}

function configuration(
  oidc: Library,
  { database }: ProviderOptions,
  issuer: string,
  signingKey: object,
): Configuration {
  // Browsers accept such a cookie over https only. `__Host-` is not possible: each cookie is limited to a path.
  const cookiePrefix = issuer.startsWith('https:') ? '__Secure-' : '';
  return {
    adapter: (model: string) => adapterFor(oidc, database, model),
    jwks: { keys: [signingKey] } as NonNullable<Configuration['jwks']>,
    routes: { authorization: PATHS.authorize, token: PATHS.token, jwks: PATHS.jwks },
    scopes: [...SCOPES],
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic'],
    extraClientMetadata: { properties: ['org_id'] },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      ClientCredentials: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      RefreshToken: GRANT_SECONDS,
      Grant: GRANT_SECONDS,
      Interaction: INTERACTION_SECONDS,
      Session: INTERACTION_SECONDS,
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => API_RESOURCE,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (ctx, resource, client) => {
          if (resource !== API_RESOURCE && resource !== audienceOf(issuer))
            throw new oidc.errors.InvalidTarget();
          requireScopes(oidc, ctx, client.scope ?? '');
          return {
            scope: client.scope ?? '',
            audience: audienceOf(issuer),
            accessTokenTTL: ACCESS_TOKEN_SECONDS,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } },
          };
        },
      },
    },
    formats: { customizers: { jwt: (_ctx, token, parts) => completeToken(database, token, parts) } },
    findAccount: (ctx, userId, token) => findAccount(database, ctx, userId, grantOf(token)),
    interactions: {
      policy: askEveryTime(oidc),
      url: (_ctx, interaction) => `${PATHS.interaction}/${interaction.uid}`,
    },
    // An earlier consent is never reused for a new authorization request.
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    cookies: {
      names: {
        session: `${cookiePrefix}lotward_oauth_session`,
        interaction: `${cookiePrefix}lotward_oauth_interaction`,
        resume: `${cookiePrefix}lotward_oauth_resume`,
      },
      short: { httpOnly: true, sameSite: 'lax', overwrite: true },
      long: { httpOnly: true, sameSite: 'lax', overwrite: true },
    },
    renderError,
  };
}

function adapterFor(oidc: Library, database: Database, model: string): Adapter {
  if (model === 'Session') return emptyAdapter;
  if (model === 'Client')
    return { ...emptyAdapter, find: async (id) => metadataOf(await readClientForLogin(database.reader, id)) };
  return artifactsOf(database, model, (message) => new oidc.errors.InvalidGrant(message));
}

/** The metadata of a client; undefined when it is unknown, revoked, disabled or suspended. */
function metadataOf(client: ClientForLogin | null): ClientMetadata | undefined {
  if (!client || !isUsable(client) || client.orgStatus !== 'active') return undefined;
  const forPeople = client.redirectUris.length > 0;
  return {
    client_id: client.clientId,
    // The route has verified the secret already and forwards its hash instead.
    client_secret: client.secretHash.toString('hex'),
    client_name: client.name,
    org_id: client.orgId,
    redirect_uris: client.redirectUris,
    grant_types: ['client_credentials', ...(forPeople ? ['authorization_code', 'refresh_token'] : [])],
    response_types: forPeople ? ['code'] : [],
    token_endpoint_auth_method: 'client_secret_basic',
    ...(client.scopes.length > 0 ? { scope: client.scopes.join(' ') } : {}),
  } as ClientMetadata;
}

/** No scope means all scopes of the client; more than those is refused, not narrowed. */
function requireScopes(oidc: Library, ctx: KoaContextWithOIDC, clientScope: string): void {
  const params = ctx.oidc.params as { scope?: string; grant_type?: string };
  if (params.scope === undefined && params.grant_type !== 'refresh_token') params.scope = clientScope;
  const held = new Set(clientScope.split(' '));
  const more = (params.scope ?? '').split(' ').find((scope) => scope !== '' && !held.has(scope));
  if (more !== undefined) throw new oidc.errors.InvalidScope('the client does not have this scope', more);
}

interface TokenParts {
  payload: Record<string, unknown>;
}

/** Adds the organization and the grant, and takes times from the database clock. */
function completeToken(database: Database, token: object, parts: object): void {
  const { client, grantId } = token as { client?: { org_id?: string }; grantId?: string };
  const { payload } = parts as TokenParts;
  const now = Math.floor(database.clock.now().getTime() / 1000);
  Object.assign(payload, {
    iat: now,
    exp: now + ACCESS_TOKEN_SECONDS,
    scope: payload.scope ?? '',
    org: client?.org_id,
    ...(grantId === undefined ? {} : { gid: hashToken(grantId).toString('base64url') }),
  });
}

const grantOf = (token: unknown): string | undefined => (token as { grantId?: string } | undefined)?.grantId;

/** A code or refresh token finds its account only as long as its grant stands. */
async function findAccount(
  { reader, clock }: Database,
  ctx: KoaContextWithOIDC,
  userId: string,
  grantId: string | undefined,
) {
  const orgId = (ctx.oidc.client as { org_id?: string } | undefined)?.org_id;
  if (orgId === undefined) return undefined;
  const user =
    grantId === undefined
      ? await readActiveUser(reader, orgId, userId)
      : await readGrantHolder(reader, { orgId, userId, grantHash: hashToken(grantId) }, clock.now());
  return user ? { accountId: userId, claims: async () => ({ sub: userId }) } : undefined;
}

/** The consent page satisfies both prompts at once; neither is ever satisfied by an earlier request. */
function askEveryTime({ interactionPolicy: { Check, Prompt, base } }: Library) {
  const policy = base();
  policy.clear();
  for (const name of ['login', 'consent'] as const) {
    const unanswered = new Check('not_asked_yet', `${name} was not given`, `${name}_required`, (ctx) =>
      ctx.oidc.result?.[name] ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
    );
    policy.add(new Prompt({ name, requestable: true }, unanswered));
  }
  return policy;
}

type RenderError = NonNullable<Configuration['renderError']>;

/** A page for browsers that cannot be redirected back; JSON for programs. */
const renderError: RenderError = (ctx, out) => {
  if (ctx.path === PATHS.token || ctx.accepts('html', 'json') !== 'html') {
    ctx.type = 'application/json';
    ctx.body = out;
    return;
  }
  ctx.set(PAGE_HEADERS);
  ctx.body = errorPage(String(out.error), String(out.error_description ?? ''));
};

export const errorPage = (error: string, description: string): string =>
  htmlPage({
    title: 'This did not work',
    body: `<p class="problem">${escapeHtml(description || error)}</p>
<p class="note">The app that sent you here asked for something that is not possible (<code>${escapeHtml(error)}</code>). Go back to it and try again; if it happens again, contact the operator of the app.</p>`,
  });
