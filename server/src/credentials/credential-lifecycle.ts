import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { clientStore } from './client.store.js';
import { refuseCredential } from './credential.errors.js';
import type { StoredClient, StoredCredential, StoredKey } from './credential.js';
import type { CredentialStore, Locked } from './credential.store.js';
import { requireOverlap, settleAllowList, settleScopes } from './credential-facts.js';
import { onCredentialEnded } from './credential-hooks.js';
import { keyStore } from './key.store.js';

/** A type of credential: the lifecycle below is the same for API keys and OAuth clients except for these. */
export interface CredentialType<C extends StoredCredential> {
  /** In audit actions and in the message of a credential that is not found. */
  name: 'key' | 'client';
  entityType: 'api_key' | 'oauth_client';
  idParameter: 'keyId' | 'clientId';
  revokedReason: 'key_revoked' | 'client_revoked';
  store: CredentialStore<C>;
}

export const KEY: CredentialType<StoredKey> = {
  name: 'key',
  entityType: 'api_key',
  idParameter: 'keyId',
  revokedReason: 'key_revoked',
  store: keyStore,
};

export const CLIENT: CredentialType<StoredClient> = {
  name: 'client',
  entityType: 'oauth_client',
  idParameter: 'clientId',
  revokedReason: 'client_revoked',
  store: clientStore,
};

/** Saves a new credential. Only the hash of its secret is stored. */
export async function saveCredential<C extends StoredCredential>(
  tx: Tx,
  type: CredentialType<C>,
  id: string,
  credential: C,
  secretHash: Buffer,
): Promise<void> {
  await type.store.saveNew(tx, credential, secretHash);
  await recordAudit(tx, {
    action: `${type.name}.create`,
    entityType: type.entityType,
    entityId: id,
    after: credential,
  });
}

/** Locked until the transaction ends. */
export async function lockCredential<C extends StoredCredential>(
  tx: Tx,
  type: CredentialType<C>,
  id: string,
): Promise<Locked<C>> {
  const credential = await type.store.lock(tx, id);
  if (!credential) throw missing(type.name, type.idParameter);
  return credential;
}

/** Like `lockCredential`; a revoked credential can no longer be changed. */
export async function lockUsableCredential<C extends StoredCredential>(
  tx: Tx,
  type: CredentialType<C>,
  id: string,
): Promise<Locked<C>> {
  const credential = await lockCredential(tx, type, id);
  if (credential.revokedAt) throw refuseCredential(type.revokedReason, null);
  return credential;
}

/** Replaces the secret. The previous one, and no older one, stays valid for the overlap. */
export async function rotateSecret<C extends StoredCredential>(
  tx: Tx,
  type: CredentialType<C>,
  id: string,
  secretHash: Buffer,
  overlapSeconds: number,
): Promise<{ credential: C; overlapUntil: Date }> {
  requireOverlap(overlapSeconds);
  const credential = await lockUsableCredential(tx, type, id);
  const overlapUntil = new Date(tx.now.getTime() + overlapSeconds * 1000);
  // Without an overlap the old hash is removed, so that a lagging clock cannot accept the old secret again.
  const previous = overlapSeconds === 0 ? null : { hash: credential.secretHash, validUntil: overlapUntil };
  await type.store.replaceSecret(tx, id, secretHash, previous);
  await recordAudit(tx, {
    action: `${type.name}.rotate`,
    entityType: type.entityType,
    entityId: id,
    after: { overlapUntil },
  });
  return { credential, overlapUntil };
}

export interface CredentialPatch {
  name?: string | undefined;
  scopes?: readonly string[] | undefined;
  /** Null: any address. */
  allowList?: readonly string[] | null | undefined;
}

interface MoreChanges {
  before: object;
  after: object;
  save(): Promise<void>;
}

/**
 * Changes the fields that keys and OAuth clients share; `changeMore` changes the rest. Takes effect on every process within
 * a second.
 */
export async function changeCredential<C extends StoredCredential>(
  tx: Tx,
  type: CredentialType<C>,
  id: string,
  input: CredentialPatch,
  changeMore: (credential: C) => MoreChanges = () => NOTHING_MORE,
): Promise<void> {
  const scopes = input.scopes && settleScopes(input.scopes);
  const allowList = input.allowList === undefined ? undefined : settleAllowList(input.allowList ?? []);
  const credential = await lockUsableCredential(tx, type, id);
  const shared = { name: credential.name, scopes: credential.scopes, allowList: credential.allowList };
  const changed = {
    name: input.name ?? shared.name,
    scopes: scopes ?? shared.scopes,
    allowList: allowList ?? shared.allowList,
  };
  const more = changeMore(credential);
  const before = { ...shared, ...more.before };
  const after = { ...changed, ...more.after };
  if (isDeepStrictEqual(before, after)) return;
  await type.store.saveChange(tx, id, changed);
  await more.save();
  await recordAudit(tx, {
    action: `${type.name}.change`,
    entityType: type.entityType,
    entityId: id,
    before,
    after,
  });
}

const NOTHING_MORE: MoreChanges = { before: {}, after: {}, save: async () => undefined };

/** Takes effect on every process within a second. Revoking it again changes nothing. */
export async function revokeCredential<C extends StoredCredential>(
  tx: Tx,
  type: CredentialType<C>,
  id: string,
): Promise<Date> {
  const { revokedAt } = await lockCredential(tx, type, id);
  if (revokedAt) return revokedAt;
  await type.store.markRevoked(tx, id);
  await onCredentialEnded(tx, type.name, id);
  await recordAudit(tx, {
    action: `${type.name}.revoke`,
    entityType: type.entityType,
    entityId: id,
    after: { revokedAt: tx.now },
  });
  return tx.now;
}
