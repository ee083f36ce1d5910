import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { InteractionResults, Provider } from 'oidc-provider';
import { type CredentialCache, csrfTokenOf, refuseCrossSite, type SessionCookie } from '../access/index.js';
import { recordAudit } from '../audit/index.js';
import { type ClientForLogin, isUsable, readClientForLogin } from '../credentials/index.js';
import { isMemberOf, shareLockSession } from '../people/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { PAGE_HEADERS } from '../platform/html/index.js';
import type { ConsoleSession, Principal } from '../platform/principal.js';
import { hashToken } from '../platform/secrets/index.js';
import { consentPage } from './consent-page.js';
import { buildRequest } from './forward-request.routes.js';
import { saveGrantSettled } from './grant.store.js';
import type { Issuer } from './issuer.js';
import { OAuthError } from './oauth-error.js';
import { API_RESOURCE, PATHS, type Providers } from './provider.js';

export interface ConsentOptions {
  database: Database;
  credentials: CredentialCache;
  cookie: SessionCookie;
  issuer: Issuer;
  providers: Providers;
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;
type ConsentRequest = FastifyRequest<{ Params: { uid: string } }>;

/** An authorization that waits for a decision. */
interface Pending {
  provider: Provider;
  interaction: Interaction;
}

/** The person at the console who may decide about it. */
interface Asked {
  token: string;
  principal: Principal & { session: ConsoleSession };
  client: ClientForLogin;
  granted: string[];
  withheld: string[];
}

/** The page that asks a person whether an app may act for them. */
export function consentRoutes(app: FastifyInstance, options: ConsentOptions): void {
  const url = `${PATHS.interaction}/:uid`;
  app.get<{ Params: { uid: string } }>(url, async (request, reply) => {
    const pending = await pendingOf(options, request);
    const asked = await askedBy(options, request, pending);
    if (typeof asked === 'string') return reply.redirect(asked, 303);
    return reply.headers(PAGE_HEADERS).send(pageFor(asked));
  });
  app.post<{ Params: { uid: string } }>(url, async (request, reply) => {
    refuseCrossSite(request.headers);
    const pending = await pendingOf(options, request);
    const asked = await askedBy(options, request, pending);
    if (typeof asked === 'string') return reply.redirect(asked, 303);
    const form = new URLSearchParams(String(request.body ?? ''));
    if (form.get('csrf') !== csrfTokenOf(asked.token))
      throw new OAuthError(403, 'access_denied', 'this did not come from the page that asks');
    const allowed = form.get('decision') === 'allow' && asked.granted.length > 0;
    const result = allowed ? await grant(options, request, pending, asked) : REFUSED_BY_PERSON;
    return reply.redirect(await settle(options, request, pending, result), 303);
  });
}

const REFUSED_BY_PERSON = { error: 'access_denied', error_description: 'the person did not allow it' };

const providerRequest = ({ issuer }: ConsentOptions, request: ConsentRequest) =>
  buildRequest(request, issuer.origin(), {
    method: 'GET',
    target: `${PATHS.interaction}/${request.params.uid}`,
  });

/** The authorization that this browser began; a link to another person's shows nothing. */
async function pendingOf(options: ConsentOptions, request: ConsentRequest): Promise<Pending> {
  const provider = await options.providers.get(options.issuer.origin());
  const interaction = await provider
    .interactionDetails(providerRequest(options, request), request.raw as never)
    .catch((error: { error?: string }) => {
      if (error.error === 'invalid_request') return null;
      throw error;
    });
  if (interaction?.uid !== request.params.uid)
    throw new OAuthError(
      400,
      'invalid_request',
      'This request has expired, or was begun in another browser.',
    );
  return { provider, interaction };
}

const signInAndReturn = ({ params }: ConsentRequest): string =>
  `/sign-in?return=${encodeURIComponent(`${PATHS.interaction}/${params.uid}`)}`;

/** The signed-in person and the client that asks for consent, or where the person must go first. */
async function askedBy(
  { database, credentials, cookie }: ConsentOptions,
  request: ConsentRequest,
  { interaction }: Pending,
): Promise<Asked | string> {
  const token = cookie.read(request.headers.cookie ?? '');
  const credential = token === null ? null : await credentials.resolve(token);
  const principal = credential?.principal;
  if (token === null || principal?.session?.state !== 'complete') return signInAndReturn(request);
  const { client_id: clientId, scope } = interaction.params as Record<string, string>;
  const client = await readClientForLogin(database.reader, clientId ?? '');
  if (!client || !isUsable(client)) throw foreignApp();
  if (client.orgId !== principal.orgId) {
    if (await isMemberOf(database.reader, principal.actor, client.orgId))
      return `${signInAndReturn(request)}&choose`;
    throw foreignApp();
  }
  const wanted = (scope ?? '').split(' ').filter((one) => one !== '');
  return {
    token,
    principal: { ...principal, session: principal.session },
    client,
    granted: wanted.filter((one) => principal.scopes.has(one)),
    withheld: wanted.filter((one) => !principal.scopes.has(one)),
  };
}

const foreignApp = () =>
  new OAuthError(
    403,
    'access_denied',
    'This app belongs to another organization than you. Sign in as somebody of that organization.',
  );

const pageFor = ({ client, principal, granted, withheld, token }: Asked): string =>
  consentPage({
    app: client.name,
    organization: client.orgName,
    email: principal.actor,
    granted,
    withheld,
    csrfToken: csrfTokenOf(token),
  });

/** Each consent gets its own grant, which counts only once its scopes and person are recorded. */
async function grant(
  { database }: ConsentOptions,
  request: ConsentRequest,
  { provider, interaction }: Pending,
  { principal, client, granted }: Asked,
) {
  const { clientId } = client;
  const accountId = principal.session.userId;
  const made = new provider.Grant({ accountId, clientId });
  const { resource = API_RESOURCE } = interaction.params as { resource?: string };
  made.addResourceScope(resource, granted.join(' '));
  const grantId = await made.save();
  // Saved before the session is locked: a change of the password either ends the session, which is noticed here, or waits
  // and then finds the grant. Nobody can use the grant before this request has settled it.
  const isSettled = await transact(
    database,
    principal,
    async (tx) => {
      const generation = await shareLockSession(tx, principal.actor, principal.session);
      if (generation === null) return false;
      await saveGrantSettled(tx, hashToken(grantId), generation);
      await recordAudit(tx, {
        action: 'client.authorize',
        entityType: 'oauth_client',
        entityId: clientId,
        after: { userId: accountId, scopes: granted },
      });
      return true;
    },
    { requestId: request.id },
  );
  if (!isSettled) {
    await made.destroy();
    throw new OAuthError(403, 'access_denied', 'Your session has ended. Sign in and try again.');
  }
  return { login: { accountId, remember: false }, consent: { grantId } };
}

/** Stores the decision. Returns the URL to which the browser is redirected. */
const settle = (
  options: ConsentOptions,
  request: ConsentRequest,
  { provider }: Pending,
  result: InteractionResults,
): Promise<string> =>
  provider.interactionResult(providerRequest(options, request), request.raw as never, result, {
    mergeWithLastSubmission: false,
  });
