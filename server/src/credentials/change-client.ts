import type { Tx } from '../platform/database/index.js';
import { saveRedirectUris } from './client.store.js';
import { settleRedirectUris } from './create-client.js';
import { CLIENT, type CredentialPatch, changeCredential } from './credential-lifecycle.js';

export interface ClientPatch extends CredentialPatch {
  redirectUris?: readonly string[] | undefined;
}

/** Changes name, scopes, allow-list and redirect URIs. Grants keep the scopes that people agreed to, never more. */
export async function changeClient(tx: Tx, clientId: string, input: ClientPatch): Promise<void> {
  const redirectUris = input.redirectUris && settleRedirectUris(input.redirectUris);
  await changeCredential(tx, CLIENT, clientId, input, (client) => {
    const before = { redirectUris: client.redirectUris };
    const after = { redirectUris: redirectUris ?? before.redirectUris };
    return { before, after, save: () => saveRedirectUris(tx, clientId, after.redirectUris) };
  });
}
