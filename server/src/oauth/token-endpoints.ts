import { recordAudit } from '../audit/index.js';
import { actorOf, type ClientForLogin } from '../credentials/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { hashToken } from '../platform/secrets/index.js';
import type { AccessTokens, TokenClaims } from './access-tokens.js';
import { findArtifact } from './artifact.store.js';
import { endGrantIn } from './end-grants.js';
import { readGrantHolder } from './grant.store.js';
import { audienceOf } from './issuer.js';
import { invalidRequest } from './oauth-error.js';
import { saveRevokedToken } from './token.store.js';

/** Introspection and revocation of tokens by their client. */
export interface TokenEndpoints {
  /** RFC 7662. A token of another client is reported as inactive. */
  introspect(client: ClientForLogin, token: string): Promise<object>;
  /** RFC 7009. Succeeds for an unknown or expired token. */
  revoke(client: ClientForLogin, token: string, requestId: string): Promise<void>;
}

const INACTIVE = { active: false };
/** A revocation is kept a little longer than the token could be accepted. */
const REMEMBERED_AFTER_MS = 60_000;

export function openTokenEndpoints(database: Database, tokens: AccessTokens): TokenEndpoints {
  const refreshOf = (token: string) => refreshToken(database, token);
  return {
    async introspect(client, token) {
      const claims = await tokens.read(token);
      if (claims) return claims.clientId === client.clientId ? describe(tokens, claims) : INACTIVE;
      const refresh = await refreshOf(token);
      if (!refresh || refresh.consumed || refresh.clientId !== client.clientId) return INACTIVE;
      const grant = { orgId: client.orgId, userId: refresh.userId, grantHash: refresh.grantHash };
      const user = await readGrantHolder(database.reader, grant, database.clock.now());
      if (!user) return INACTIVE;
      const { clientId } = client;
      return {
        active: true,
        client_id: clientId,
        scope: refresh.scope,
        sub: refresh.userId,
        username: user.email,
        token_type: 'refresh_token',
      };
    },
    async revoke(client, token, requestId) {
      const claims = await tokens.read(token);
      const refresh = claims ? null : await refreshOf(token);
      const clientId = claims?.clientId ?? refresh?.clientId;
      if (clientId === undefined) return;
      if (clientId !== client.clientId) throw invalidRequest('the token was given to another client');
      const principal = {
        ...systemPrincipal(client.orgId, actorOf(client), client),
        credentialId: client.clientId,
      };
      await transact(
        database,
        principal,
        async (tx) => {
          if (claims) {
            const until = new Date(claims.expiresAt * 1000 + REMEMBERED_AFTER_MS);
            if (!(await saveRevokedToken(tx, claims.tokenId, until))) return;
          }
          const after = claims ? { tokenId: claims.tokenId } : { userId: refresh?.userId };
          const action = claims ? 'client.revoke_token' : 'client.end_grant';
          await recordAudit(tx, { action, entityType: 'oauth_client', entityId: clientId, after });
          if (refresh) await endGrantIn(tx, refresh.grantHash);
        },
        { requestId },
      );
    },
  };
}

async function describe(tokens: AccessTokens, claims: TokenClaims): Promise<object> {
  const { credential } = await tokens.judge(claims);
  if (!credential) return INACTIVE;
  const { principal } = credential;
  return {
    active: true,
    client_id: claims.clientId,
    scope: [...principal.scopes].join(' '),
    sub: claims.subject,
    username: principal.actor,
    token_type: 'Bearer',
    iss: claims.issuer,
    aud: audienceOf(claims.issuer),
    jti: claims.tokenId,
    iat: claims.issuedAt,
    exp: claims.expiresAt,
  };
}

interface RefreshToken {
  clientId: string;
  userId: string;
  scope: string;
  grantHash: Buffer;
  consumed: boolean;
}

/** Null when it is unknown or its grant has ended. */
async function refreshToken({ app, clock }: Database, token: string): Promise<RefreshToken | null> {
  const now = clock.now();
  const artifact = await findArtifact(app, 'RefreshToken', hashToken(token), now);
  if (!artifact) return null;
  const { clientId, accountId, scope, grantId } = artifact.payload as Record<string, string>;
  const grantHash = hashToken(grantId ?? '');
  if (!(await findArtifact(app, 'Grant', grantHash, now))) return null;
  return {
    clientId: clientId ?? '',
    userId: accountId ?? '',
    scope: scope ?? '',
    grantHash,
    consumed: artifact.consumed,
  };
}
