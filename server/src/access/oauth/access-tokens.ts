import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { batched, type Database } from '../../platform/database/index.js';
import { allowList } from '../allow-list.js';
import { type Credential, type Judged, REFUSED } from '../credentials.js';
import { REQUESTS_PER_MINUTE } from '../organization.js';
import { scopesOfRole } from '../roles.js';
import { audienceOf, type Issuer, isOurs } from './issuer.js';
import { SIGNING_ALGORITHM } from './keep-signing-keys.js';
import type { Keyring } from './keyring.js';
import { readTokenStandings, type TokenName, type TokenStanding } from './token.store.js';

/** What is said in a token that we signed and that has not expired. */
export interface TokenClaims extends TokenName {
  issuer: string;
  subject: string;
  scopes: readonly string[];
  issuedAt: number;
  expiresAt: number;
}

export interface AccessTokens {
  /** Null when it is not one of ours, or has expired. Whether it was revoked is not asked. */
  read(token: string): Promise<TokenClaims | null>;
  /** What it is good for now. */
  judge(claims: TokenClaims): Promise<Judged>;
}

/** For the clocks of others who sign for the same database. */
const TOLERANCE_SECONDS = 5;

export function openAccessTokens(database: Database, keyring: Keyring, issuer: Issuer): AccessTokens {
  const { reader, clock } = database;
  const standingOf = batched<TokenName, TokenStanding | null>(
    (names) => readTokenStandings(reader, names, clock.now()),
    { keysMax: 1_000, inFlightMax: 2 },
  );
  return {
    async read(token) {
      const keyId = keyIdIn(token);
      // Outside the try: when the database is away nobody can say that a token is bad.
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
  // A token on somebody's behalf ends with a grant; any other speaks for the client itself.
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
  if (standing.revokedAt || standing.orgStatus !== 'active' || standing.revoked) return false;
  return claims.userId === null || (standing.userStatus === 'active' && standing.granted);
}

/** Never more than the token was given, than the client has now, and than the person may do now. */
function credentialOf({ userId, scopes }: TokenClaims, standing: TokenStanding): Credential {
  const { clientId } = standing;
  const held = new Set(standing.scopes);
  const own = userId === null || standing.role === null ? null : scopesOfRole(standing.role);
  return {
    kind: 'client',
    id: clientId,
    countedAs: userId === null ? `client ${clientId}` : `client ${clientId} user ${userId}`,
    requestsPerMinute: REQUESTS_PER_MINUTE[standing.edition],
    allows: allowList(standing.allowList),
    principal: {
      orgId: standing.orgId,
      actor: (userId === null ? null : standing.email) ?? standing.owner,
      credentialId: clientId,
      scopes: new Set(scopes.filter((scope) => held.has(scope) && (own === null || own.has(scope)))),
      boundTo: standing.customerCode,
      timeZone: standing.timeZone,
      client: { userId },
    },
  };
}
