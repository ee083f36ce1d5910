import { recordAudit } from '../../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import { refuseAccess } from '../access.errors.js';
import { type CredentialFacts, settleFacts } from '../credential-facts.js';
import { hashToken } from '../key-token.js';
import { type StoredClient, saveNewClient } from './client.store.js';
import { newClientId, newClientSecret } from './client-secret.js';
import { isRedirectUri } from './redirect-uri.rules.js';

export interface NewClient extends CredentialFacts {
  /** Where people are sent back to; without one the client only acts for itself. */
  redirectUris?: readonly string[] | undefined;
}

export interface ClientPair {
  clientId: string;
  clientSecret: string;
}

/** The secret is shown here and never again: only a hash is kept. */
export async function createClient(tx: Tx, input: NewClient): Promise<ClientPair & { client: StoredClient }> {
  const redirectUris = settledRedirectUris(input.redirectUris ?? []);
  const facts = await settleFacts(tx, input);
  const clientSecret = newClientSecret();
  const client: StoredClient = {
    orgId: tx.orgId,
    clientId: newClientId(),
    ...facts,
    redirectUris,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: tx.now,
    createdBy: tx.actor,
  };
  const { clientId } = client;
  await saveNewClient(tx, client, hashToken(clientSecret));
  await recordAudit(tx, {
    action: 'client.create',
    entityType: 'oauth_client',
    entityId: clientId,
    after: client,
  });
  return { clientId, clientSecret, client };
}

export function settledRedirectUris(uris: readonly string[]): string[] {
  for (const uri of uris) {
    if (!isRedirectUri(uri))
      throw refuseAccess('bad_redirect_uri', '/redirectUris', `${uri} cannot be sent back to`);
  }
  return [...new Set(uris)];
}
