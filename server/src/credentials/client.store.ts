import { joinEach, type Pool, statement, type Tx } from '../platform/database/index.js';
import type { CredentialForLogin, StoredClient } from './credential.js';
import { credentialColumns, credentialStore, joinLogin, loginColumns } from './credential.store.js';

const table = {
  table: 'oauth_clients',
  directory: 'oauth_client_directory',
  id: { column: 'client_id', field: 'clientId' },
  own: { column: 'redirect_uris', field: 'redirectUris' },
  status: `case when c.revoked_at is not null then 'revoked' when c.disabled_at is not null then 'disabled'
    else 'active' end`,
} as const;

export const clientStore = credentialStore<StoredClient>(table);

export type ClientForLogin = CredentialForLogin<StoredClient>;

/** For stores that join the client `client_id` of a row. `org`: the parameter with the organization. */
export const clientColumns = credentialColumns(table);
export const joinClient = (alias: string, org = `${alias}.org_id`, joinRow = joinEach): string =>
  joinRow('oauth_clients', 'c', `c.org_id = ${org} and c.client_id = ${alias}.client_id`);

const changeRedirects = statement(
  'update oauth_clients set redirect_uris = $3 where org_id = $1 and client_id = $2',
);
const forLogin = statement(`
  select ${clientColumns}, ${loginColumns} from oauth_clients c ${joinLogin('$1')}
  where c.org_id = $1 and c.client_id = $2`);

/** Saved together with the fields that every credential has, whose change raises the version. */
export async function saveRedirectUris(tx: Tx, clientId: string, uris: readonly string[]): Promise<void> {
  tx.send(changeRedirects, [tx.orgId, clientId, uris]);
}

/** Null when no organization has the client. */
export async function readClientForLogin(reader: Pool, clientId: string): Promise<ClientForLogin | null> {
  const orgId = await organizationOfClient(reader, clientId);
  if (orgId === null) return null;
  const [row] = await reader.query<ClientForLogin>(forLogin, [orgId, clientId]);
  return row ?? null;
}

export async function listClients(reader: Pool, orgId: string): Promise<StoredClient[]> {
  return clientStore.list(reader, orgId);
}

/** Null when no organization has the client. */
export async function organizationOfClient(reader: Pool, clientId: string): Promise<string | null> {
  return (await clientStore.organizationsOf(reader, [clientId])).get(clientId) ?? null;
}
