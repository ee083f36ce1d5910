import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../platform/clock/index.js';
import { batched, type Pool } from '../platform/database/index.js';
import type { Principal } from '../platform/principal.js';
import { type KeyForLogin, organizationsOfKeys, readKeysForLogin } from './access.store.js';
import { allowList } from './allow-list.js';
import { hashToken, keyIdOf } from './key-token.js';
import { REQUESTS_PER_MINUTE } from './organization.js';

/** A credential that was found good, and everything the gate needs to know about it. */
export interface Credential {
  principal: Principal;
  keyId: string;
  requestsPerMinute: number;
  allows: (address: string) => boolean;
}

interface Entry {
  keyId: string;
  tokenHash: Buffer;
  credential: Credential | null;
  /** The credential stops being good at this instant even if nothing changes. */
  validUntilMs: number;
  checkedAtMs: number;
  used: boolean;
}

/** Nothing is believed longer than this without asking the database again: revocation holds within a second. */
const BELIEVED_MS = 800;
const RENEW_EVERY_MS = 350;
const ENTRIES_MAX = 20_000;

export interface Credentials {
  /** The credential behind a token, null when there is none; at once when it was checked a moment ago. */
  resolve(token: string): Credential | null | Promise<Credential | null>;
  close(): void;
}

/** Verified tokens are kept for a moment and renewed together, so that most requests ask the database nothing. */
export function openCredentials(reader: Pool, clock: Clock, monotonicMs: () => number): Credentials {
  const entries = new Map<string, Entry>();
  const orgOfKey = new Map<string, string>();

  const load = batched<string, KeyForLogin | null>((keyIds) => loadKeys(reader, orgOfKey, keyIds), {
    keysMax: 1_000,
    inFlightMax: 2,
  });

  const check = async (token: string, keyId: string, tokenHash: Buffer): Promise<Entry> => {
    const checkedAtMs = monotonicMs();
    const key = await load(keyId);
    const entry = { keyId, tokenHash, checkedAtMs, used: true, ...judge(key, tokenHash, clock.now()) };
    if (entry.credential) {
      if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value as string);
      entries.set(token, entry);
    } else {
      entries.delete(token);
    }
    return entry;
  };

  const renew = () => {
    for (const [token, entry] of entries) {
      if (!entry.used) {
        entries.delete(token);
        continue;
      }
      entry.used = false;
      // A failure leaves the entry to grow old: the next request asks again and reports it.
      check(token, entry.keyId, entry.tokenHash).then(
        (fresh) => {
          fresh.used = false;
        },
        () => {},
      );
    }
  };
  const timer = setInterval(renew, RENEW_EVERY_MS);
  timer.unref();

  return {
    resolve(token) {
      const entry = entries.get(token);
      if (entry && monotonicMs() - entry.checkedAtMs <= BELIEVED_MS) {
        entry.used = true;
        return clock.now().getTime() <= entry.validUntilMs ? entry.credential : null;
      }
      const keyId = keyIdOf(token);
      if (keyId === null) return null;
      return check(token, keyId, hashToken(token)).then((fresh) => fresh.credential);
    },
    close: () => clearInterval(timer),
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
      if (orgOfKey.size >= ENTRIES_MAX) orgOfKey.delete(orgOfKey.keys().next().value as string);
      orgOfKey.set(keyId, orgId);
    }
  }
  if (orgs.size === 0) return keyIds.map(() => null);
  const rows = await readKeysForLogin(reader, [...orgs.values()], [...orgs.keys()]);
  const byId = new Map(rows.map((row) => [row.keyId, row]));
  return keyIds.map((keyId) => byId.get(keyId) ?? null);
}

function judge(
  key: KeyForLogin | null,
  tokenHash: Buffer,
  now: Date,
): Pick<Entry, 'credential' | 'validUntilMs'> {
  const refused = { credential: null, validUntilMs: 0 };
  if (!key || key.revokedAt || key.orgStatus !== 'active') return refused;
  const current = timingSafeEqual(key.secretHash, tokenHash);
  const previous =
    !current && key.previousSecretHash !== null && timingSafeEqual(key.previousSecretHash, tokenHash);
  if (!current && !previous) return refused;
  const ends = [key.expiresAt, previous ? key.previousValidUntil : null].map(
    (end) => end?.getTime() ?? Number.POSITIVE_INFINITY,
  );
  const validUntilMs = Math.min(...ends);
  if (now.getTime() > validUntilMs) return refused;
  return { credential: toCredential(key), validUntilMs };
}

function toCredential(key: KeyForLogin): Credential {
  return {
    keyId: key.keyId,
    requestsPerMinute: REQUESTS_PER_MINUTE[key.edition],
    allows: allowList(key.allowList),
    principal: {
      orgId: key.orgId,
      actor: key.owner,
      credentialId: key.keyId,
      scopes: new Set(key.scopes),
      customerCode: key.customerCode,
      timeZone: key.timeZone,
    },
  };
}
