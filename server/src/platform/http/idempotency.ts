import { createHash } from 'node:crypto';
import { type Database, statement, type Tx, transact } from '../database/index.js';
import { systemPrincipal } from '../principal.js';
import { canonicalJson, invalid } from './json-body.js';

export interface StoredAnswer {
  status: number;
  body: string;
}

const KEPT_FOR_MS = 24 * 3_600_000;

/** Waits, through the unique key, for another request with the same key that is still under way. */
const claim = statement(`
  insert into idempotency_keys (org_id, credential_id, key, request_hash, created_at)
  values ($1, $2, $3, $4, $5)
  on conflict (org_id, credential_id, key) do update
    set request_hash = excluded.request_hash, created_at = excluded.created_at, status = null, body = null
    where idempotency_keys.created_at < $6
  returning 1 as claimed`);
const recall = statement(`
  select request_hash, status, body from idempotency_keys
  where org_id = $1 and credential_id = $2 and key = $3`);
const store = statement(`
  update idempotency_keys set status = $4, body = $5
  where org_id = $1 and credential_id = $2 and key = $3`);

/** What an Idempotency-Key stands for: this method, path and body. */
export function requestHash(method: string, url: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${method} ${url}\n`)
    .update(canonicalJson(body ?? null))
    .digest();
}

/** Claims the key in this transaction, or finds the answer given before. */
export async function claimKey(tx: Tx, key: string, hash: Buffer): Promise<StoredAnswer | null> {
  const ids = [tx.orgId, tx.credentialId, key];
  const oldest = new Date(tx.now.getTime() - KEPT_FOR_MS);
  const claimed = await tx.query(claim, [...ids, hash, tx.now, oldest]);
  if (claimed.length > 0) return null;
  const [row] = await tx.query<{ request_hash: Buffer; status: number; body: string }>(recall, ids);
  if (!row?.request_hash.equals(hash)) throw invalid('idempotency_key_reused', 'Idempotency-Key');
  return { status: row.status, body: row.body };
}

export async function storeAnswer(tx: Tx, key: string, answer: StoredAnswer): Promise<void> {
  await tx.query(store, [tx.orgId, tx.credentialId, key, answer.status, answer.body]);
}

const organizationsToPurge = statement(`
  select org_id as "orgId" from idempotency_keys where created_at < $1 group by org_id`);
const purge = statement('delete from idempotency_keys where org_id = $1 and created_at < $2');

/** Forgets answers older than a day. */
export async function purgeIdempotencyKeys(database: Database): Promise<void> {
  const oldest = new Date(database.clock.now().getTime() - KEPT_FOR_MS);
  for (const { orgId } of await database.worker.query<{ orgId: string }>(organizationsToPurge, [oldest])) {
    await transact(
      database,
      systemPrincipal(orgId, 'worker@lotward.invalid'),
      (tx) => tx.query(purge, [orgId, oldest]),
      { as: 'worker' },
    );
  }
}
