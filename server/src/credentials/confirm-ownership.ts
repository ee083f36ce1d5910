import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import type { ShownCredential, StoredCredential } from './credential.js';
import { CLIENT, type CredentialType, KEY } from './credential-lifecycle.js';

export interface OwnCredential {
  type: CredentialType<never>['name'];
  credentialId: string;
  shown: ShownCredential<StoredCredential>;
}

/** The keys and OAuth clients that a person owns or that belong to them, newest first of each type. */
export async function listOwnCredentials(tx: Tx, email: string): Promise<OwnCredential[]> {
  const keys = await KEY.store.ofPerson(tx, email);
  const clients = await CLIENT.store.ofPerson(tx, email);
  return [
    ...keys.map((shown) => ({ type: KEY.name, credentialId: shown.keyId, shown })),
    ...clients.map((shown) => ({ type: CLIENT.name, credentialId: shown.clientId, shown })),
  ];
}

/**
 * From now on the credential acts in the name of its owner, who confirms it. For anyone else it does not exist here, because
 * nobody may act for another person. Confirming again changes nothing.
 */
export async function confirmOwnership(tx: Tx, owner: string, id: string): Promise<OwnCredential> {
  if (!((await confirm(tx, KEY, owner, id)) || (await confirm(tx, CLIENT, owner, id))))
    throw missing('credential', 'credentialId');
  const own = (await listOwnCredentials(tx, owner)).find(({ credentialId }) => credentialId === id);
  if (!own) throw missing('credential', 'credentialId');
  return own;
}

/** False when the person owns no such credential of this type. */
async function confirm<C extends StoredCredential>(
  tx: Tx,
  type: CredentialType<C>,
  owner: string,
  id: string,
): Promise<boolean> {
  const credential = await type.store.lock(tx, id);
  if (credential?.owner !== owner || credential.revokedAt !== null) return false;
  if (credential.ownerConfirmedAt !== null) return true;
  await type.store.saveOwnerConfirmed(tx, id);
  await recordAudit(tx, {
    action: `${type.name}.confirm_owner`,
    entityType: type.entityType,
    entityId: id,
    after: { owner },
  });
  return true;
}
