import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { type Credential, compileAllowList, REFUSED, type Resolution } from '../access/index.js';
import { actorOf, isUsable } from '../credentials/index.js';
import { REQUESTS_PER_MINUTE } from '../organizations/index.js';
import { scopesOfRole } from '../people/index.js';
import { batchedByOrganization, type Database } from '../platform/database/index.js';
import { audienceOf, type Issuer, isOurs } from './issuer.js';
import type { Keyring } from './keyring.js';
import { SIGNING_ALGORITHM } from './signing-keys.js';
import { readTokenStandings, type TokenName, type TokenStanding } from './token.store.js';

/** The claims of a token with a valid signature that has not expired. */
export interface TokenClaims extends TokenName {
  issuer: string;
  subject: string;
  scopes: readonly string[];
  issuedAt: number;
  expiresAt: number;
}

export interface AccessTokens {
  /** Null for a token that is not ours or has expired. Does not check revocation. */
  read(token: string): Promise<TokenClaims | null>;
  /** The credential of the token, by the current state of the client, user and grant. */
  judge(claims: TokenClaims): Promise<Resolution>;
}

/** Allows for clock skew between processes that sign for the same database. */
const TOLERANCE_SECONDS = 5;

export function openAccessTokens(database: Database, keyring: Keyring, issuer: Issuer): AccessTokens {
  const { reader, clock } = database;
  const standingOf = batchedByOrganization<TokenName, TokenStanding | null>(
    reader,
    (names) => readTokenStandings(reader, names, clock.now()),
    { keysMax: 1_000, inFlightMax: 2 },
  );
  return {
    async read(token) {
      const keyId = keyIdIn(token);
      // Outside the try: an unavailable database does not make a token invalid.
      const key = keyId === null ? null : await keyring.verifying(keyId);
      if (!key) return null;
      const now = clock.now();
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [SIGNING_ALGORITHM],
          typ: 'at+jwt',
          currentDate: now,
          clockTolerance: TOLERANCE_SECONDS,
        });
        return claimsIn(payload, issuer, now);
      } catch {
        return null;
      }
    },
    async judge(claims) {
      const standing = await standingOf(claims);
      if (!standing || !stands(standing, claims)) return REFUSED;
      return {
        credential: credentialOf(claims, standing),
        validUntilMs: (claims.expiresAt + TOLERANCE_SECONDS) * 1000 - 1,
      };
    },
  };
}

function keyIdIn(token: string): string | null {
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === 'string' ? kid : null;
  } catch {
    return null;
  }
}

function claimsIn(payload: JWTPayload, issuer: Issuer, now: Date): TokenClaims | null {
  const { iss, aud, sub, jti, exp, iat, client_id: clientId, scope, org, gid } = payload;
  const texts = [iss, sub, jti, clientId, scope, org];
  if (!texts.every((text) => typeof text === 'string')) return null;
  const [name, subject, tokenId, client, scopes, orgId] = texts as string[] as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  if (typeof exp !== 'number' || typeof iat !== 'number') return null;
  if (iat > now.getTime() / 1000 + TOLERANCE_SECONDS) return null;
  if (!isOurs(issuer, name) || aud !== audienceOf(name)) return null;
  // A token that acts for a person has a grant; any other acts for the client itself.
  if (gid === undefined ? subject !== client : typeof gid !== 'string') return null;
  return {
    issuer: name,
    subject,
    tokenId,
    clientId: client,
    orgId,
    scopes: scopes.split(' ').filter((scope) => scope !== ''),
    issuedAt: iat,
    expiresAt: exp,
    userId: gid === undefined ? null : subject,
    grantHash: gid === undefined ? null : Buffer.from(gid as string, 'base64url'),
  };
}

function stands(standing: TokenStanding, claims: TokenClaims): boolean {
  if (!isUsable(standing) || standing.orgStatus !== 'active' || standing.revoked) return false;
  return claims.userId === null || (standing.userStatus === 'active' && standing.granted);
}

/** The intersection of the token's scopes, the client's current scopes and the person's current role. */
function credentialOf({ userId, grantHash, scopes }: TokenClaims, standing: TokenStanding): Credential {
  const { clientId } = standing;
  const held = new Set(standing.scopes);
  const own = userId === null || standing.role === null ? null : scopesOfRole(standing.role);
  return {
    kind: 'client',
    id: clientId,
    countedAs: userId === null ? `client ${clientId}` : `client ${clientId} user ${userId}`,
    requestsPerMinute: REQUESTS_PER_MINUTE[standing.edition],
    allows: compileAllowList(standing.allowList),
    principal: {
      orgId: standing.orgId,
      actor: (userId === null ? null : standing.email) ?? actorOf(standing),
      credentialId: clientId,
      scopes: new Set(scopes.filter((scope) => held.has(scope) && (own === null || own.has(scope)))),
      boundTo: standing.customerCode,
      timeZone: standing.timeZone,
      sandbox: standing.sandbox,
      client: { userId, grantHash },
    },
  };
}
