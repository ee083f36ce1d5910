import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../platform/clock/index.js';
import { batched, type Pool } from '../platform/database/index.js';
import { type KeyForLogin, organizationsOfKeys, readKeysForLogin } from './access.store.js';
import { allowList } from './allow-list.js';
import { type Credential, type Judged, REFUSED, type Resolver } from './credentials.js';
import { hashToken, keyIdOf } from './key-token.js';
import { REQUESTS_PER_MINUTE } from './organization.js';

const ORGANIZATIONS_MAX = 20_000;

/** API keys. */
export function keyResolver(reader: Pool, clock: Clock): Resolver {
  const orgOfKey = new Map<string, string>();
  const load = batched<string, KeyForLogin | null>((keyIds) => loadKeys(reader, orgOfKey, keyIds), {
    keysMax: 1_000,
    inFlightMax: 2,
  });
  return (token) => {
    const keyId = keyIdOf(token);
    if (keyId === null) return null;
    return load(keyId).then((key) => judge(key, hashToken(token), clock.now()));
  };
}

async function loadKeys(
  reader: Pool,
  orgOfKey: Map<string, string>,
  keyIds: readonly string[],
): Promise<(KeyForLogin | null)[]> {
  const orgs = new Map<string, string>();
  const unknown: string[] = [];
  for (const keyId of new Set(keyIds)) {
    const orgId = orgOfKey.get(keyId);
    if (orgId === undefined) unknown.push(keyId);
    else orgs.set(keyId, orgId);
  }
  if (unknown.length > 0) {
    // A key never changes its organization, so this is asked once. What is remembered for later may be pushed
    // out by the others of the same batch; what is answered now may not.
    for (const [keyId, orgId] of await organizationsOfKeys(reader, unknown)) {
      orgs.set(keyId, orgId);
      if (orgOfKey.size >= ORGANIZATIONS_MAX) orgOfKey.delete(orgOfKey.keys().next().value as string);
      orgOfKey.set(keyId, orgId);
    }
  }
  if (orgs.size === 0) return keyIds.map(() => null);
  const rows = await readKeysForLogin(reader, [...orgs.values()], [...orgs.keys()]);
  const byId = new Map(rows.map((row) => [row.keyId, row]));
  return keyIds.map((keyId) => byId.get(keyId) ?? null);
}

function judge(key: KeyForLogin | null, tokenHash: Buffer, now: Date): Judged {
  if (!key || key.revokedAt || key.orgStatus !== 'active') return REFUSED;
  const current = timingSafeEqual(key.secretHash, tokenHash);
  const previous =
    !current && key.previousSecretHash !== null && timingSafeEqual(key.previousSecretHash, tokenHash);
  if (!current && !previous) return REFUSED;
  const ends = [key.expiresAt, previous ? key.previousValidUntil : null].map(
    (end) => end?.getTime() ?? Number.POSITIVE_INFINITY,
  );
  const validUntilMs = Math.min(...ends);
  if (now.getTime() > validUntilMs) return REFUSED;
  return { credential: toCredential(key), validUntilMs };
}

function toCredential(key: KeyForLogin): Credential {
  return {
    kind: 'key',
    id: key.keyId,
    countedAs: `key ${key.keyId}`,
    requestsPerMinute: REQUESTS_PER_MINUTE[key.edition],
    allows: allowList(key.allowList),
    principal: {
      orgId: key.orgId,
      actor: key.owner,
      credentialId: key.keyId,
      scopes: new Set(key.scopes),
      boundTo: key.customerCode,
      timeZone: key.timeZone,
    },
  };
}
