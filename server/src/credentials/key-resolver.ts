import {
  type Credential,
  compileAllowList,
  REFUSED,
  type Resolution,
  type Resolver,
} from '../access/index.js';
import { REQUESTS_PER_MINUTE } from '../organizations/index.js';
import type { Clock } from '../platform/clock/index.js';
import { batched, type Pool } from '../platform/database/index.js';
import { hashToken } from '../platform/secrets/index.js';
import {
  actorOf,
  type CredentialForLogin,
  isUsable,
  type StoredKey,
  secretValidUntilMs,
} from './credential.js';
import { keyStore, readKeysForLogin } from './key.store.js';
import { isSandboxToken, keyIdOf } from './key-token.js';

type KeyForLogin = CredentialForLogin<StoredKey>;

const ORGANIZATIONS_MAX = 20_000;

/** Resolves API keys. */
export function keyResolver(reader: Pool, clock: Clock): Resolver {
  const orgOfKey = new Map<string, string>();
  const load = batched<string, KeyForLogin | null>((keyIds) => loadKeys(reader, orgOfKey, keyIds), {
    keysMax: 1_000,
    inFlightMax: 2,
  });
  return (token) => {
    const keyId = keyIdOf(token);
    if (keyId === null) return null;
    return load(keyId).then((key) =>
      isOfItsKind(key, token) ? judge(key, hashToken(token), clock.now()) : REFUSED,
    );
  };
}

/** Production refuses sandbox keys, and a sandbox refuses production keys. */
const isOfItsKind = (key: KeyForLogin | null, token: string): boolean =>
  key !== null && (key.sandbox !== null) === isSandboxToken(token);

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
    // A key never changes its organization, so this is cached indefinitely. The cache is bounded: an entry may be evicted by
    // others of its batch, so this batch uses its own map.
    for (const [keyId, orgId] of await keyStore.organizationsOf(reader, unknown)) {
      orgs.set(keyId, orgId);
      if (orgOfKey.size >= ORGANIZATIONS_MAX) orgOfKey.delete(orgOfKey.keys().next().value as string);
      orgOfKey.set(keyId, orgId);
    }
  }
  if (orgs.size === 0) return keyIds.map(() => null);
  const rows = await readKeysForLogin(
    reader,
    [...orgs].map(([keyId, orgId]) => ({ orgId, keyId })),
  );
  const byId = new Map(rows.map((row) => [row.keyId, row]));
  return keyIds.map((keyId) => byId.get(keyId) ?? null);
}

function judge(key: KeyForLogin | null, tokenHash: Buffer, now: Date): Resolution {
  if (!key || !isUsable(key) || key.orgStatus !== 'active') return REFUSED;
  const secretUntilMs = secretValidUntilMs(key, tokenHash);
  if (secretUntilMs === null) return REFUSED;
  const validUntilMs = Math.min(secretUntilMs, key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
  if (now.getTime() > validUntilMs) return REFUSED;
  return { credential: toCredential(key), validUntilMs };
}

function toCredential(key: KeyForLogin): Credential {
  return {
    kind: 'key',
    id: key.keyId,
    countedAs: `key ${key.keyId}`,
    requestsPerMinute: REQUESTS_PER_MINUTE[key.edition],
    allows: compileAllowList(key.allowList),
    principal: {
      orgId: key.orgId,
      actor: actorOf(key),
      credentialId: key.keyId,
      scopes: new Set(key.scopes),
      boundTo: key.customerCode,
      timeZone: key.timeZone,
      sandbox: key.sandbox,
    },
  };
}
