import { batchStatement, type Pool, queryBatch } from '../platform/database/index.js';
import type { CredentialForLogin, StoredKey } from './credential.js';
import { credentialColumns, credentialStore, joinLogin, loginColumns } from './credential.store.js';

const table = {
  table: 'api_keys',
  directory: 'api_key_directory',
  id: { column: 'key_id', field: 'keyId' },
  own: { column: 'expires_at', field: 'expiresAt' },
  status: `case when c.revoked_at is not null then 'revoked' when c.expires_at < $2 then 'expired'
    when c.disabled_at is not null then 'disabled' else 'active' end`,
} as const;

export const keyStore = credentialStore<StoredKey>(table);

/** For stores that join the key `key_id` of a row; its columns are then those of `k`. `org`: the parameter with the organization. */
export const joinKey = (alias: string, org = `${alias}.org_id`): string =>
  `join api_keys k on k.org_id = ${org} and k.key_id = ${alias}.key_id`;

const forLogin = batchStatement(
  2,
  ({ org, joinRow }) => `
  select ${credentialColumns(table)}, ${loginColumns}
  from unnest($1::text[], $2::text[]) as q(org_id, key_id)
  ${joinRow('api_keys', 'c', `c.org_id = ${org('q.org_id')} and c.key_id = q.key_id`)}
  ${joinLogin(org('c.org_id'))}`,
);

export function readKeysForLogin(
  reader: Pool,
  keys: readonly { orgId: string; keyId: string }[],
): Promise<CredentialForLogin<StoredKey>[]> {
  return queryBatch(reader, forLogin, keys, (own) => [
    own.map(({ orgId }) => orgId),
    own.map(({ keyId }) => keyId),
  ]);
}

export async function listKeys(reader: Pool, orgId: string): Promise<StoredKey[]> {
  return keyStore.list(reader, orgId);
}

/** Null when no organization has the key. */
export async function organizationOfKey(reader: Pool, keyId: string): Promise<string | null> {
  return (await keyStore.organizationsOf(reader, [keyId])).get(keyId) ?? null;
}
