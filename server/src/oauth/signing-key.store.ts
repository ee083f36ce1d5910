import { type Pool, statement, type Tx } from '../platform/database/index.js';
import type { PublishedKey } from './signing-key.rules.js';

export interface StoredSigningKey extends PublishedKey {
  publicJwk: Record<string, unknown>;
  privateSealed: string;
}

const columns =
  'key_id as "keyId", public_jwk as "publicJwk", private_sealed as "privateSealed", signs_from as "signsFrom"';
const all = statement(`select ${columns} from signing_keys order by signs_from, key_id`);
const lock = statement("select pg_advisory_xact_lock(hashtext('lotward signing keys'))");
const insert = statement(`
  insert into signing_keys (key_id, public_jwk, private_sealed, created_at, signs_from) values ($1, $2, $3, $4, $5)`);
const remove = statement('delete from signing_keys where key_id = any($1)');

/** Oldest first. */
export async function readSigningKeys(pool: Pool): Promise<StoredSigningKey[]> {
  return pool.query<StoredSigningKey>(all, []);
}

/** Prevents other changes to the keys until this transaction ends. */
export async function lockSigningKeys(tx: Tx): Promise<StoredSigningKey[]> {
  tx.send(lock, []);
  return tx.query<StoredSigningKey>(all, []);
}

export async function saveSigningKey(tx: Tx, key: StoredSigningKey): Promise<void> {
  const jwk = JSON.stringify(key.publicJwk);
  tx.send(insert, [key.keyId, jwk, key.privateSealed, tx.now, key.signsFrom]);
}

export async function removeSigningKeys(tx: Tx, keyIds: readonly string[]): Promise<void> {
  if (keyIds.length > 0) tx.send(remove, [keyIds]);
}
