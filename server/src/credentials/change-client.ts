import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { saveClientChange } from './client.store.js';
import { settleRedirectUris } from './create-client.js';
import { CLIENT, lockUsableCredential } from './credential-lifecycle.js';

export interface ClientChange {
  name?: string | undefined;
  redirectUris?: readonly string[] | undefined;
}

/** Changes the name and the redirect URIs. What a client may do is fixed when it is created. */
export async function changeClient(tx: Tx, clientId: string, input: ClientChange): Promise<void> {
  const redirectUris = input.redirectUris && settleRedirectUris(input.redirectUris);
  const client = await lockUsableCredential(tx, CLIENT, clientId);
  const before = { name: client.name, redirectUris: client.redirectUris };
  const after = { name: input.name ?? before.name, redirectUris: redirectUris ?? before.redirectUris };
  await saveClientChange(tx, { clientId, ...after });
  await recordAudit(tx, {
    action: 'client.change',
    entityType: CLIENT.entityType,
    entityId: clientId,
    before,
    after,
  });
}
