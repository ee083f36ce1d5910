import { statement, type Tx } from '../../platform/database/index.js';
import type { CredentialPlace, CredentialStatus } from './credential.schemas.js';

export interface ShownClient {
  clientId: string;
  name: string;
  owner: string;
  scopes: string[];
  redirectUris: string[];
  allowList: string[];
  customerCode: string | null;
  status: CredentialStatus;
  /** The secret before the last rotation works until then. */
  overlapUntil: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
  createdBy: string;
}

const shown = `c.client_id as "clientId", c.name, c.owner_email as owner, c.scopes, c.redirect_uris as "redirectUris",
  c.allow_list as "allowList", c.customer_code as "customerCode", c.last_used_at as "lastUsedAt",
  c.created_at as "createdAt", c.created_by as "createdBy",
  case when c.previous_valid_until >= $2 then c.previous_valid_until end as "overlapUntil", s.status`;
const withStatus = `oauth_clients c,
  lateral (select case when c.revoked_at is not null then 'revoked' else 'active' end as status) s`;
const clientPage = statement(`
  select ${shown} from ${withStatus}
  where c.org_id = $1 and ($3::text is null or s.status = $3)
    and ($4::timestamptz is null or (c.created_at, c.client_id) < ($4, $5::text))
  order by c.created_at desc, c.client_id desc limit $6`);
const oneClient = statement(`select ${shown} from ${withStatus} where c.org_id = $1 and c.client_id = $3`);

/** Newest first, from behind `after`. */
export async function pageOfClients(
  tx: Tx,
  status: CredentialStatus | undefined,
  after: CredentialPlace | null,
  count: number,
): Promise<ShownClient[]> {
  return tx.query<ShownClient>(clientPage, [
    tx.orgId,
    tx.now,
    status ?? null,
    after?.createdAt ?? null,
    after?.id ?? null,
    count,
  ]);
}

export async function findClient(tx: Tx, clientId: string): Promise<ShownClient | null> {
  const [row] = await tx.query<ShownClient>(oneClient, [tx.orgId, tx.now, clientId]);
  return row ?? null;
}
