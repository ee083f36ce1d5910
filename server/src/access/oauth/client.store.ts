import { type Pool, statement, type Tx } from '../../platform/database/index.js';
import type { Edition, OrganizationStatus } from '../organization.js';

export interface StoredClient {
  orgId: string;
  clientId: string;
  name: string;
  owner: string;
  scopes: string[];
  redirectUris: string[];
  allowList: string[];
  customerCode: string | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
  createdBy: string;
}

export interface ClientForLogin extends StoredClient {
  secretHash: Buffer;
  previousSecretHash: Buffer | null;
  previousValidUntil: Date | null;
  orgName: string;
  orgStatus: OrganizationStatus;
  edition: Edition;
  timeZone: string;
}

export const clientColumns = `c.org_id as "orgId", c.client_id as "clientId", c.name, c.owner_email as owner, c.scopes,
  c.redirect_uris as "redirectUris", c.allow_list as "allowList", c.customer_code as "customerCode",
  c.revoked_at as "revokedAt", c.last_used_at as "lastUsedAt", c.created_at as "createdAt", c.created_by as "createdBy"`;

const register = statement('insert into oauth_client_directory (client_id, org_id) values ($1, $2)');
const insert = statement(`
  insert into oauth_clients (org_id, client_id, name, owner_email, scopes, redirect_uris, allow_list, customer_code,
    secret_hash, created_at, created_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`);
const lock = statement(`select ${clientColumns}, c.secret_hash as "secretHash" from oauth_clients c
  where c.org_id = $1 and c.client_id = $2 for no key update`);
const replaceSecret = statement(`
  update oauth_clients set secret_hash = $3, previous_secret_hash = $4, previous_valid_until = $5
  where org_id = $1 and client_id = $2`);
const change = statement(
  'update oauth_clients set name = $3, redirect_uris = $4 where org_id = $1 and client_id = $2',
);
const revoke = statement('update oauth_clients set revoked_at = $3 where org_id = $1 and client_id = $2');
const clientsOf = statement(
  `select ${clientColumns} from oauth_clients c where c.org_id = $1 order by c.created_at, c.client_id`,
);
const organizationOf = statement('select org_id as "orgId" from oauth_client_directory where client_id = $1');
const forLogin = statement(`
  select ${clientColumns}, c.secret_hash as "secretHash", c.previous_secret_hash as "previousSecretHash",
    c.previous_valid_until as "previousValidUntil", o.name as "orgName", o.status as "orgStatus", o.edition,
    o.time_zone as "timeZone"
  from oauth_client_directory d
  join oauth_clients c on c.org_id = d.org_id and c.client_id = d.client_id
  join organizations o on o.org_id = c.org_id
  where d.client_id = $1`);

export async function saveNewClient(tx: Tx, client: StoredClient, secretHash: Buffer): Promise<void> {
  await tx.query(register, [client.clientId, tx.orgId]);
  await tx.query(insert, [
    tx.orgId,
    client.clientId,
    client.name,
    client.owner,
    client.scopes,
    client.redirectUris,
    client.allowList,
    client.customerCode,
    secretHash,
    client.createdAt,
    client.createdBy,
  ]);
}

export type LockedClient = StoredClient & { secretHash: Buffer };

export async function lockStoredClient(tx: Tx, clientId: string): Promise<LockedClient | null> {
  const [row] = await tx.query<LockedClient>(lock, [tx.orgId, clientId]);
  return row ?? null;
}

export async function replaceSecretOfClient(
  tx: Tx,
  clientId: string,
  next: Buffer,
  previous: { hash: Buffer; validUntil: Date } | null,
): Promise<void> {
  const { hash = null, validUntil = null } = previous ?? {};
  await tx.query(replaceSecret, [tx.orgId, clientId, next, hash, validUntil]);
}

export async function saveClientChange(
  tx: Tx,
  client: Pick<StoredClient, 'clientId' | 'name' | 'redirectUris'>,
): Promise<void> {
  await tx.query(change, [tx.orgId, client.clientId, client.name, client.redirectUris]);
}

export async function markClientRevoked(tx: Tx, clientId: string): Promise<void> {
  await tx.query(revoke, [tx.orgId, clientId, tx.now]);
}

export async function listClients(reader: Pool, orgId: string): Promise<StoredClient[]> {
  return reader.query<StoredClient>(clientsOf, [orgId]);
}

export async function organizationOfClient(reader: Pool, clientId: string): Promise<string | null> {
  const [row] = await reader.query<{ orgId: string }>(organizationOf, [clientId]);
  return row?.orgId ?? null;
}

/** Null when there is no such client in any organization. */
export async function readClientForLogin(reader: Pool, clientId: string): Promise<ClientForLogin | null> {
  const [row] = await reader.query<ClientForLogin>(forLogin, [clientId]);
  return row ?? null;
}
