import { recordAudit } from '../../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import { missing } from '../../platform/errors/index.js';
import { refuseAccess } from '../access.errors.js';
import { lockStoredClient, type StoredClient, saveClientChange } from './client.store.js';
import { settledRedirectUris } from './create-client.js';

export interface ClientChange {
  name?: string | undefined;
  redirectUris?: readonly string[] | undefined;
}

/** What a client may do is settled when it is made; only its name and where it sends people can be changed. */
export async function changeClient(tx: Tx, clientId: string, input: ClientChange): Promise<StoredClient> {
  const redirectUris = input.redirectUris && settledRedirectUris(input.redirectUris);
  const locked = await lockStoredClient(tx, clientId);
  if (!locked) throw missing('client', 'clientId');
  if (locked.revokedAt) throw refuseAccess('client_revoked', null);
  const { secretHash: _secretHash, ...before } = locked;
  const after = {
    ...before,
    name: input.name ?? before.name,
    redirectUris: redirectUris ?? before.redirectUris,
  };
  await saveClientChange(tx, after);
  const shown = ({ name, redirectUris: uris }: StoredClient) => ({ name, redirectUris: uris });
  await recordAudit(tx, {
    action: 'client.change',
    entityType: 'oauth_client',
    entityId: clientId,
    before: shown(before),
    after: shown(after),
  });
  return after;
}
