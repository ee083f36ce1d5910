import { createHash } from 'node:crypto';
import {
  bulkRows,
  type Database,
  organizationRow,
  type SweepOptions,
  statement,
  sweepOrganizations,
  type Tx,
} from '../database/index.js';
import type { ApiError } from '../errors/index.js';
import { freshSeal, type SealedRows, sealBeginning } from '../sealed-rows/index.js';
import type { SealPlace } from '../secrets/index.js';
import { canonicalJson, invalid } from './json-body.js';

export interface StoredAnswer {
  status: number;
  body: string;
}

const KEPT_FOR_MS = 24 * 3_600_000;

/** Waits, through the unique key, for another request in progress with the same key. */
const claim = statement(`
  insert into idempotency_keys (org_id, credential_id, key, request_hash, created_at)
  select g.org_id, c.credential_id, c.key, c.request_hash, $5
  from ${organizationRow('g')}, unnest($2::text[], $3::text[], $4::bytea[]) as c(credential_id, key, request_hash)
  order by c.credential_id, c.key
  on conflict (org_id, credential_id, key) do update
    set request_hash = excluded.request_hash, created_at = excluded.created_at, status = null, body = null
    where idempotency_keys.created_at < $6
  returning credential_id as "credentialId", key`);
const loadStored = statement(`
  select i.credential_id as "credentialId", i.key, i.request_hash as "requestHash", i.status, i.body
  from unnest($2::text[], $3::text[]) as c(credential_id, key)
  join idempotency_keys i on i.org_id = $1 and i.credential_id = c.credential_id and i.key = c.key`);
const answerColumns = bulkRows({ credential_id: 'text', key: 'text', status: 'integer', body: 'text' });
const store = statement(`
  update idempotency_keys i set status = a.status, body = a.body
  from ${answerColumns.from('a', 2)}
  where i.org_id = $1 and i.credential_id = a.credential_id and i.key = a.key`);
const abandon = statement(`
  update idempotency_keys i set created_at = $4 from unnest($2::text[], $3::text[]) as a(credential_id, key)
  where i.org_id = $1 and i.credential_id = a.credential_id and i.key = a.key`);

/** Identifies the request of an Idempotency-Key by method, path, body and condition. */
export function requestHash(method: string, url: string, body: unknown, ifMatch?: string): Buffer {
  return createHash('sha256')
    .update(`${method} ${url}\n`)
    .update(ifMatch === undefined ? '' : `${ifMatch}\n`)
    .update(canonicalJson(body ?? null))
    .digest();
}

export interface KeyClaim {
  credentialId: string;
  /** Null for a request without a key, which is always new. */
  key: string | null;
  hash: Buffer | null;
}

interface KeyOwner {
  credentialId: string;
  key: string;
}

const ownerText = (owner: KeyOwner): string => `${owner.credentialId}\n${owner.key}`;

/**
 * Claims the keys of requests in this transaction. Each request is then new, has a stored response, or reuses the key of a
 * different request. No key may occur twice among the claims.
 */
export async function claimKeys(
  tx: Tx,
  claims: readonly KeyClaim[],
): Promise<('fresh' | StoredAnswer | ApiError)[]> {
  const keyed = claims.flatMap(({ credentialId, key, hash }) =>
    key !== null && hash !== null ? [{ credentialId, key, hash }] : [],
  );
  if (keyed.length === 0) return claims.map(() => 'fresh');
  const oldest = new Date(tx.now.getTime() - KEPT_FOR_MS);
  const claimed = await tx.query<KeyOwner>(claim, [
    tx.orgId,
    keyed.map((c) => c.credentialId),
    keyed.map((c) => c.key),
    keyed.map((c) => c.hash),
    tx.now,
    oldest,
  ]);
  const fresh = new Set(claimed.map(ownerText));
  const known = keyed.filter((c) => !fresh.has(ownerText(c)));
  const earlier = known.length > 0 ? await loadAnswers(tx, known) : new Map<string, LoadedAnswer>();
  return claims.map(({ credentialId, key, hash }) => {
    if (key === null || hash === null || fresh.has(ownerText({ credentialId, key }))) return 'fresh';
    const row = earlier.get(ownerText({ credentialId, key }));
    if (!row?.requestHash.equals(hash)) return invalid('idempotency_key_reused', 'Idempotency-Key');
    return { status: row.status, body: row.body };
  });
}

const answered = statement(`
  select 1 from idempotency_keys
  where org_id = $1 and credential_id = $2 and key = $3 and status is not null and created_at >= $4`);

/** Returns whether a response is stored under this key, for this request or another. */
export async function isAnswered(tx: Tx, owner: KeyOwner): Promise<boolean> {
  const oldest = new Date(tx.now.getTime() - KEPT_FOR_MS);
  return (await tx.query(answered, [tx.orgId, owner.credentialId, owner.key, oldest])).length > 0;
}

type LoadedAnswer = KeyOwner & StoredAnswer & { requestHash: Buffer };

async function loadAnswers(tx: Tx, keys: readonly KeyOwner[]): Promise<Map<string, LoadedAnswer>> {
  const rows = await tx.query<LoadedAnswer>(loadStored, [
    tx.orgId,
    keys.map((k) => k.credentialId),
    keys.map((k) => k.key),
  ]);
  return new Map(rows.map((row) => [ownerText(row), row]));
}

export async function storeAnswers(tx: Tx, answers: readonly (KeyOwner & StoredAnswer)[]): Promise<void> {
  if (answers.length === 0) return;
  tx.send(store, [
    tx.orgId,
    ...answerColumns.values(answers, (a) => ({
      credential_id: a.credentialId,
      key: a.key,
      status: a.status,
      body: a.body,
    })),
  ]);
}

/** Releases keys so that they can be used again, if the transaction cannot be rolled back because other requests share it. */
export async function abandonKeys(tx: Tx, keys: readonly KeyOwner[]): Promise<void> {
  if (keys.length === 0) return;
  tx.send(abandon, [tx.orgId, keys.map((k) => k.credentialId), keys.map((k) => k.key), new Date(0)]);
}

const answerId = ({ credentialId, key }: KeyOwner): string => `${credentialId} ${key}`;
const answerIdColumn = `(credential_id || ' ' || key) collate "C"`;

/** Where a stored response with a secret belongs. */
export const answerPlace = (orgId: string, owner: KeyOwner): SealPlace => placeOf(orgId, answerId(owner));
const placeOf = (orgId: string, id: string): SealPlace => ({ purpose: 'stored response', orgId, id });

/** Responses with a secret are sealed; the others are JSON and begin with a brace. */
export const sealedAnswers: SealedRows = {
  kind: 'stored responses',
  hasOrganization: true,
  count: statement(`
    select ${sealBeginning('body')} as sealed, count(*)::integer as count
    from idempotency_keys where left(body, 1) = 'v' group by 1`),
  read: statement(`
    select ${answerIdColumn} as id, array[body] as sealed from idempotency_keys
    where org_id = $1 and left(body, 1) = 'v' and ${answerIdColumn} > $2 order by 1 limit $3`),
  replace: statement(`
    update idempotency_keys set body = ${freshSeal(1, 'body')}
    where org_id = $1 and credential_id = split_part($2, ' ', 1) and key = substr($2, strpos($2, ' ') + 1)
      and body = ($3::text[])[1] returning 1`),
  place: placeOf,
};

const organizationsToPurge = statement(`
  select org_id as "orgId" from idempotency_keys where created_at < $1 group by org_id`);
// The age stands outside the subquery too: a key claimed again after the statement began is checked anew and stays.
const purge = statement(`
  delete from idempotency_keys where org_id = $1 and created_at < $2 and (credential_id, key) in (
    select credential_id, key from idempotency_keys where org_id = $1 and created_at < $2 limit $3) returning 1`);

/** Removes stored responses older than a day. */
export async function purgeIdempotencyKeys(database: Database, options: SweepOptions = {}): Promise<number> {
  const oldest = new Date(database.clock.now().getTime() - KEPT_FOR_MS);
  const rows = await database.worker.query<{ orgId: string }>(organizationsToPurge, [oldest]);
  return sweepOrganizations(
    database,
    rows.map(({ orgId }) => orgId),
    async (tx, rowsMax) => (await tx.query(purge, [tx.orgId, oldest, rowsMax])).length,
    options,
  );
}
