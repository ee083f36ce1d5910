import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  type GrantFilter,
  readGrants,
  removeGrant,
  removeGrantsOf,
  type StoredGrant,
} from './grant.store.js';

const HASH_BYTES = 32;

/** The id by which a grant is shown: the hash that is stored, never the id that the protocol uses as a secret. */
export const grantIdOf = ({ grantHash }: Pick<StoredGrant, 'grantHash'>): string =>
  grantHash.toString('base64url');

/** Its tokens are refused by every process within a second. */
export async function endGrantById(tx: Tx, grantId: string, of: Pick<GrantFilter, 'userId'>): Promise<void> {
  const grantHash = Buffer.from(grantId, 'base64url');
  if (grantHash.length !== HASH_BYTES) throw missing('grant', 'grantId');
  const [grant] = await readGrants(tx, { ...of, grantHash }, null, 1);
  if (!grant || !(await removeGrant(tx, grantHash))) throw missing('grant', 'grantId');
  await recordEnd(tx, grant.clientId, grant.userId);
}

/** Ends everything that a person allowed apps. */
export async function endGrantsOf(tx: Tx, { userId }: { userId: string }): Promise<void> {
  for (const { clientId } of await removeGrantsOf(tx, userId)) await recordEnd(tx, clientId, userId);
}

const recordEnd = (tx: Tx, clientId: string, userId: string): Promise<void> =>
  recordAudit(tx, {
    action: 'client.end_grant',
    entityType: 'oauth_client',
    entityId: clientId,
    after: { userId },
  });
