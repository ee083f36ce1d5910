import type { Tx } from '../platform/database/index.js';
import { hashToken } from '../platform/secrets/index.js';
import { newClientId, newClientSecret } from './client-secret.js';
import { refuseCredential } from './credential.errors.js';
import type { StoredClient } from './credential.js';
import { type CredentialFacts, settleFacts, unusedSince } from './credential-facts.js';
import { CLIENT, saveCredential } from './credential-lifecycle.js';
import { isRedirectUri } from './redirect-uri.rules.js';

export interface NewClient extends CredentialFacts {
  /** The addresses to which people are sent back; without any, the client acts only for itself. */
  redirectUris?: readonly string[] | undefined;
}

export interface ClientPair {
  clientId: string;
  clientSecret: string;
}

/** The secret is returned here and never again: only a hash is stored. */
export async function createClient(tx: Tx, input: NewClient): Promise<ClientPair & { client: StoredClient }> {
  const redirectUris = settleRedirectUris(input.redirectUris ?? []);
  const facts = await settleFacts(tx, input);
  const clientSecret = newClientSecret();
  const clientId = newClientId();
  const client: StoredClient = { orgId: tx.orgId, clientId, ...facts, redirectUris, ...unusedSince(tx) };
  await saveCredential(tx, CLIENT, clientId, client, hashToken(clientSecret));
  return { clientId, clientSecret, client };
}

/** Without duplicates, or a refusal. */
export function settleRedirectUris(uris: readonly string[]): string[] {
  for (const uri of uris) {
    if (!isRedirectUri(uri))
      throw refuseCredential('bad_redirect_uri', '/redirectUris', `${uri} cannot be a redirect URI`);
  }
  return [...new Set(uris)];
}
