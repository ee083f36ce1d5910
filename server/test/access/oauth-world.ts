import { createHash, randomBytes } from 'node:crypto';
import { createClient } from '../../src/credentials/index.js';
import { transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import type { TestApi, TestDatabase, TestOrganization, TestSession } from '../harness/index.js';

export const REDIRECT_URI = 'https://app.partner.example/back?from=lotward';

export interface TestClient {
  clientId: string;
  clientSecret: string;
}

/** A client of the organization, by default one that people can be sent to. */
export async function newClient(
  { database }: Pick<TestDatabase, 'database'>,
  { organization }: Pick<TestOrganization, 'organization'>,
  input: Partial<Parameters<typeof createClient>[1]> = {},
): Promise<TestClient> {
  const principal = systemPrincipal(organization.orgId, 'operator@test.example', organization);
  const { clientId, clientSecret } = await transact(database, principal, (tx) =>
    createClient(tx, {
      name: 'Stock <app>',
      scopes: ['products:read', 'inventory:read', 'settings:read'],
      owner: 'owner@client.example',
      redirectUris: [REDIRECT_URI],
      ...input,
    }),
  );
  return { clientId, clientSecret };
}

export const basic = (user: string, secret: string): string =>
  `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;

interface OAuthJson {
  error: string;
  access_token: string;
  refresh_token: string;
  scope: string;
  active: boolean;
}

export interface OAuthAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body, if there was one. */
  json: OAuthJson;
}

/** One form to one of the endpoints that clients call. */
export async function send(
  api: Pick<TestApi, 'url'>,
  path: string,
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<OAuthAnswer> {
  const response = await fetch(api.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    redirect: 'manual',
  });
  return answerOf(response);
}

async function answerOf(response: Response): Promise<OAuthAnswer> {
  const text = await response.text();
  let json = {} as OAuthJson;
  try {
    json = JSON.parse(text);
  } catch {
    // A page.
  }
  return { status: response.status, headers: response.headers, text, json };
}

export const sendAs = (
  api: Pick<TestApi, 'url'>,
  client: TestClient,
  path: string,
  form: Record<string, string> | string,
): Promise<OAuthAnswer> =>
  send(api, path, form, { authorization: basic(client.clientId, client.clientSecret) });

export async function clientToken(
  api: Pick<TestApi, 'url'>,
  client: TestClient,
  scope?: string,
): Promise<string> {
  const form = { grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) };
  const answer = await sendAs(api, client, '/oauth/token', form);
  if (answer.status !== 200) throw new Error(`no token: ${answer.text}`);
  return answer.json.access_token;
}

export interface Pkce {
  verifier: string;
  challenge: string;
}

export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export const authorizeQuery = (
  client: Pick<TestClient, 'clientId'>,
  pkce: Pkce,
  more: Record<string, string> = {},
): Record<string, string> => ({
  response_type: 'code',
  client_id: client.clientId,
  redirect_uri: REDIRECT_URI,
  scope: 'products:read inventory:read',
  state: 'a state',
  code_challenge: pkce.challenge,
  code_challenge_method: 'S256',
  ...more,
});

/** A browser, optionally with a session: it keeps cookies by path and follows no redirects. */
export interface Browser {
  open(target: string, form?: Record<string, string>, headers?: Record<string, string>): Promise<OAuthAnswer>;
}

export function browser(api: Pick<TestApi, 'url'>, session?: Pick<TestSession, 'headers'>): Browser {
  const jar = new Map<string, { value: string; path: string }>();
  if (session) {
    const [name = '', value = ''] = session.headers.cookie.split('=');
    jar.set(name, { value, path: '/' });
  }
  return {
    async open(target, form, headers = {}) {
      const url = new URL(target, api.url);
      const cookie = [...jar]
        .filter(([, { path }]) => url.pathname.startsWith(path))
        .map(([name, { value }]) => `${name}=${value}`)
        .join('; ');
      const response = await fetch(url, {
        method: form ? 'POST' : 'GET',
        redirect: 'manual',
        headers: {
          accept: 'text/html',
          ...(cookie === '' ? {} : { cookie }),
          ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
          ...headers,
        },
        ...(form ? { body: new URLSearchParams(form).toString() } : {}),
      });
      for (const line of response.headers.getSetCookie()) {
        const [pair = '', ...facts] = line.split('; ');
        const [name = '', value = ''] = pair.split('=');
        const path = facts.find((fact) => fact.startsWith('path='))?.slice(5) ?? '/';
        if (value === '' || facts.some((fact) => fact.includes('1970'))) jar.delete(name);
        else jar.set(name, { value, path });
      }
      return answerOf(response);
    },
  };
}

export const locationOf = (answer: OAuthAnswer): string => answer.headers.get('location') ?? '';

/** Decides on the consent page as a signed-in user, and returns the redirect to the app. */
export async function decide(
  api: Pick<TestApi, 'url'>,
  session: Pick<TestSession, 'headers'>,
  query: Record<string, string>,
  decision: 'allow' | 'refuse' = 'allow',
): Promise<URL> {
  const tab = browser(api, session);
  const begun = await tab.open(`/oauth/authorize?${new URLSearchParams(query)}`);
  const page = locationOf(begun);
  if (!page.includes('/oauth/interaction/'))
    throw new Error(`no consent page: ${begun.status} ${begun.text}`);
  const shown = await tab.open(page);
  const csrf = /name="csrf" value="([^"]+)"/.exec(shown.text)?.[1];
  if (csrf === undefined) throw new Error(`no form: ${shown.status} ${shown.text}`);
  const decided = await tab.open(page, { csrf, decision });
  const back = await tab.open(locationOf(decided));
  if (back.status !== 303) throw new Error(`not sent back: ${back.status} ${back.text}`);
  return new URL(locationOf(back));
}

export interface UserTokens {
  access: string;
  refresh: string;
  code: string;
  pkce: Pkce;
  scope: string;
}

export const codeForm = (code: string, pkce: Pkce, more: Record<string, string> = {}) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: REDIRECT_URI,
  code_verifier: pkce.verifier,
  ...more,
});

/** An authorization code, after consent. */
export async function newCode(
  api: Pick<TestApi, 'url'>,
  client: TestClient,
  session: Pick<TestSession, 'headers'>,
  more: Record<string, string> = {},
): Promise<{ code: string; pkce: Pkce }> {
  const pkce = newPkce();
  const back = await decide(api, session, authorizeQuery(client, pkce, more));
  const code = back.searchParams.get('code');
  if (code === null) throw new Error(`no code: ${back}`);
  return { code, pkce };
}

/** The whole way, up to the tokens. */
export async function userTokens(
  api: Pick<TestApi, 'url'>,
  client: TestClient,
  session: Pick<TestSession, 'headers'>,
  more: Record<string, string> = {},
): Promise<UserTokens> {
  const { code, pkce } = await newCode(api, client, session, more);
  const answer = await sendAs(api, client, '/oauth/token', codeForm(code, pkce));
  if (answer.status !== 200) throw new Error(`no tokens: ${answer.text}`);
  const { access_token: access, refresh_token: refresh, scope } = answer.json;
  return { access, refresh, code, pkce, scope };
}
