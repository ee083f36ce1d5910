import { requireHeldScopes } from '../access/index.js';
import { recordAudit } from '../audit/index.js';
import { shareLockActivePerson } from '../people/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import type { Principal } from '../platform/principal.js';
import { refuseCredential } from './credential.errors.js';
import type { StoredCredential } from './credential.js';
import { type CredentialType, lockUsableCredential } from './credential-lifecycle.js';

/**
 * Enables a credential whose person was removed. The adopter becomes its owner: it acts in their name and ends with them.
 */
export async function adoptCredential<C extends StoredCredential>(
  tx: Tx,
  type: CredentialType<C>,
  by: Principal,
  id: string,
): Promise<void> {
  // Locked before the credential, in the order that a removal uses: of two concurrent calls, the removal sees the adoption.
  if (!(await shareLockActivePerson(tx, by.actor))) throw missing('account', null);
  const { owner, belongsTo, disabledAt, scopes } = await lockUsableCredential(tx, type, id);
  if (disabledAt === null) throw refuseCredential('not_disabled', null);
  requireHeldScopes(by, scopes);
  await type.store.saveAdopted(tx, id, by.actor);
  await recordAudit(tx, {
    action: `${type.name}.adopt`,
    entityType: type.entityType,
    entityId: id,
    before: { owner, belongsTo },
    after: { owner: by.actor, belongsTo: by.actor },
  });
}
