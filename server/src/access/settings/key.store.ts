import { statement, type Tx } from '../../platform/database/index.js';
import type { StoredKey } from '../access.store.js';
import type { CredentialPlace, CredentialStatus } from './credential.schemas.js';

export interface ShownKey extends Omit<StoredKey, 'revokedAt'> {
  status: CredentialStatus;
  /** The secret before the last rotation works until then. */
  overlapUntil: Date | null;
}

const shown = `k.org_id as "orgId", k.key_id as "keyId", k.name, k.owner_email as owner, k.scopes,
  k.allow_list as "allowList", k.customer_code as "customerCode", k.expires_at as "expiresAt",
  k.last_used_at as "lastUsedAt", k.created_at as "createdAt", k.created_by as "createdBy",
  case when k.previous_valid_until >= $2 then k.previous_valid_until end as "overlapUntil", s.status`;
const withStatus = `api_keys k, lateral (select case when k.revoked_at is not null then 'revoked'
  when k.expires_at < $2 then 'expired' else 'active' end as status) s`;
const keyPage = statement(`
  select ${shown} from ${withStatus}
  where k.org_id = $1 and ($3::text is null or s.status = $3)
    and ($4::timestamptz is null or (k.created_at, k.key_id) < ($4, $5::text))
  order by k.created_at desc, k.key_id desc limit $6`);
const oneKey = statement(`select ${shown} from ${withStatus} where k.org_id = $1 and k.key_id = $3`);

/** Newest first, from behind `after`. */
export async function pageOfKeys(
  tx: Tx,
  status: CredentialStatus | undefined,
  after: CredentialPlace | null,
  count: number,
): Promise<ShownKey[]> {
  return tx.query<ShownKey>(keyPage, [
    tx.orgId,
    tx.now,
    status ?? null,
    after?.createdAt ?? null,
    after?.id ?? null,
    count,
  ]);
}

export async function findKey(tx: Tx, keyId: string): Promise<ShownKey | null> {
  const [row] = await tx.query<ShownKey>(oneKey, [tx.orgId, tx.now, keyId]);
  return row ?? null;
}
