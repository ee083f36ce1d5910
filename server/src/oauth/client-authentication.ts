import { compileAllowList, countFailure } from '../access/index.js';
import {
  type ClientForLogin,
  isUsable,
  readClientForLogin,
  secretValidUntilMs,
} from '../credentials/index.js';
import type { Database } from '../platform/database/index.js';
import type { Limiter } from '../platform/rate-limit/index.js';
import { hashToken } from '../platform/secrets/index.js';
import { invalidClient, invalidRequest, OAuthError } from './oauth-error.js';

interface ClientRequest {
  authorization: string | undefined;
  params: URLSearchParams;
  address: string;
}

/** Returns the client that sent the request. Throws an OAuthError for invalid credentials and disallowed addresses. */
export type ClientAuthentication = (request: ClientRequest) => Promise<ClientForLogin>;

export function clientAuthentication(database: Database, limiter: Limiter): ClientAuthentication {
  const { reader, clock } = database;
  return async ({ authorization, params, address }) => {
    const otherWays = ['client_secret', 'client_assertion', 'client_assertion_type'];
    if (authorization !== undefined && otherWays.some((name) => params.has(name)))
      throw invalidRequest('the client must authenticate in one way only');
    const shown = authorization === undefined ? formIn(params) : basicIn(authorization);
    const client = shown && (await readClientForLogin(reader, shown.clientId));
    if (!client || !isValidClient(client, hashToken(shown.secret), clock.now())) {
      await countFailure(limiter, address);
      throw invalidClient();
    }
    const named = params.get('client_id');
    if (named !== null && named !== client.clientId)
      throw invalidRequest('client_id is not the client that authenticated');
    if (!compileAllowList(client.allowList)(address))
      throw new OAuthError(400, 'unauthorized_client', 'the client may not call from this address');
    return client;
  };
}

function isValidClient(client: ClientForLogin, secretHash: Buffer, now: Date): boolean {
  if (!isUsable(client) || client.orgStatus !== 'active') return false;
  const validUntilMs = secretValidUntilMs(client, secretHash);
  return validUntilMs !== null && now.getTime() <= validUntilMs;
}

/** `client_secret_post`: both parts in the form, as RFC 6749 section 2.3.1 allows. Never in the query, which is logged. */
function formIn(params: URLSearchParams): { clientId: string; secret: string } | null {
  const [clientId, secret] = [params.get('client_id'), params.get('client_secret')];
  return clientId === null || secret === null ? null : { clientId, secret };
}

const BASIC = /^basic +((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?)$/i;

/** HTTP Basic with both parts form-encoded, as RFC 6749 section 2.3.1 requires. */
function basicIn(header: string): { clientId: string; secret: string } | null {
  const [, encoded = ''] = BASIC.exec(header) ?? [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return null;
  try {
    const [clientId, secret] = [text.slice(0, colon), text.slice(colon + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    ) as [string, string];
    // PostgreSQL rejects text with a NUL character.
    return clientId.includes('\0') ? null : { clientId, secret };
  } catch {
    return null;
  }
}
