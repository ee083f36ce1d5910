import { LotwardError } from './errors.js';

/** The credential of a client: an API key, an OAuth client, or the session of the console. */
export type ClientCredentials =
  | { /** `lw_…`, as shown when the key was created. */ apiKey: string }
  | {
      /** The ID of an OAuth client that uses client credentials. */
      clientId: string;
      clientSecret: string;
      /** The scopes to request. Default: all scopes of the client. */
      scopes?: readonly string[];
    }
  | {
      /** For the console: the cookie identifies the session, and this token proves that the request comes from our page. */
      csrfToken: () => string | null;
    };

type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Adds the credential to a request. */
export interface Authenticator {
  headers(method: string): Promise<Record<string, string>>;
  /** The service rejected the credential. Returns true when another attempt with a new one makes sense. */
  refused(): boolean;
}

/** The authenticator for the kind of credential given. */
export function authenticator(baseUrl: string, credentials: ClientCredentials, send: Send): Authenticator {
  if ('apiKey' in credentials) {
    const headers = { authorization: `Bearer ${credentials.apiKey}` };
    return { headers: async () => headers, refused: () => false };
  }
  if ('csrfToken' in credentials) {
    return {
      async headers(method): Promise<Record<string, string>> {
        const token = method === 'GET' ? null : credentials.csrfToken();
        return token === null ? {} : { 'x-csrf-token': token };
      },
      refused: () => false,
    };
  }
  return tokenAuthenticator(baseUrl, credentials, send);
}

/** A token is renewed before it expires, once for all calls that wait for it. */
const RENEW_BEFORE_MS = 30_000;

function tokenAuthenticator(
  baseUrl: string,
  credentials: Extract<ClientCredentials, { clientId: string }>,
  send: Send,
): Authenticator {
  let token: { value: string; renewAt: number } | null = null;
  let underWay: Promise<string> | null = null;
  const renew = async (): Promise<string> => {
    const { value, lifetimeMs } = await requestToken(baseUrl, credentials, send);
    token = { value, renewAt: Date.now() + Math.max(lifetimeMs - RENEW_BEFORE_MS, lifetimeMs / 2) };
    return value;
  };
  const current = (): Promise<string> => {
    if (token && Date.now() < token.renewAt) return Promise.resolve(token.value);
    underWay ??= renew().finally(() => {
      underWay = null;
    });
    return underWay;
  };
  return {
    headers: async () => ({ authorization: `Bearer ${await current()}` }),
    refused() {
      const had = token !== null;
      token = null;
      return had;
    },
  };
}

async function requestToken(
  baseUrl: string,
  { clientId, clientSecret, scopes }: Extract<ClientCredentials, { clientId: string }>,
  send: Send,
): Promise<{ value: string; lifetimeMs: number }> {
  const basic = btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
  const response = await send(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      ...(scopes ? { scope: scopes.join(' ') } : {}),
    }),
  });
  const answer = (await response.json().catch(() => ({}))) as {
    access_token?: string;
    expires_in?: number;
    error?: string;
    error_description?: string;
  };
  if (!response.ok || !answer.access_token) {
    const reason = answer.error ?? 'no_token';
    throw new LotwardError({
      status: response.status,
      code: 1002,
      message: 'no access token',
      errors: [{ path: null, reason, message: answer.error_description ?? reason }],
      requestId: response.headers.get('x-request-id'),
    });
  }
  return { value: answer.access_token, lifetimeMs: (answer.expires_in ?? 60) * 1000 };
}
