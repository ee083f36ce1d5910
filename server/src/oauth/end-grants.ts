import { recordAudit } from '../audit/index.js';
import { organizationOfClient } from '../credentials/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { createHook } from '../platform/hooks/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { clientOfGrant } from './artifact.store.js';
import {
  type GrantFilter,
  readGrants,
  removeGrant,
  removeGrantsOf,
  type StoredGrant,
} from './grant.store.js';

const HASH_BYTES = 32;
const PROVIDER = 'oauth@lotward.invalid';

/** Called in the transaction that ends a grant. Expiry is not announced. */
export const onGrantEnded = createHook<[tx: Tx, grantHash: Buffer]>('oauth.onGrantEnded');

/** The id by which a grant is shown: the hash that is stored, never the id that the protocol uses as a secret. */
export const grantIdOf = ({ grantHash }: Pick<StoredGrant, 'grantHash'>): string =>
  grantHash.toString('base64url');

/** Ends a grant with all its tokens. Returns false if it had ended before. */
export async function endGrantIn(tx: Tx, grantHash: Buffer): Promise<boolean> {
  const isEnded = await removeGrant(tx, grantHash);
  await onGrantEnded(tx, grantHash);
  return isEnded;
}

/** Every process refuses its tokens within a second. */
export async function endGrantById(tx: Tx, grantId: string, of: Pick<GrantFilter, 'userId'>): Promise<void> {
  const grantHash = Buffer.from(grantId, 'base64url');
  if (grantHash.length !== HASH_BYTES) throw missing('grant', 'grantId');
  const [grant] = await readGrants(tx, { ...of, grantHash }, null, 1);
  if (!grant || !(await endGrantIn(tx, grantHash))) throw missing('grant', 'grantId');
  await recordEnd(tx, grant.clientId, grant.userId);
}

/** Ends everything that a person allowed apps to do; with `before`, only under earlier generations of the account. */
export async function endGrantsOf(
  tx: Tx,
  { userId, before }: { userId: string; before?: number },
): Promise<void> {
  for (const { clientId, grantHash } of await removeGrantsOf(tx, userId, before)) {
    await onGrantEnded(tx, grantHash);
    await recordEnd(tx, clientId, userId);
  }
}

/** Does nothing if the grant has ended, since nothing can be added to it after that. */
export async function endGrant(database: Database, grantHash: Buffer): Promise<void> {
  const clientId = await clientOfGrant(database.app, grantHash);
  const orgId = clientId === null ? null : await organizationOfClient(database.reader, clientId);
  if (orgId === null) return;
  await transact(database, systemPrincipal(orgId, PROVIDER), (tx) => endGrantIn(tx, grantHash));
}

const recordEnd = (tx: Tx, clientId: string, userId: string): Promise<void> =>
  recordAudit(tx, {
    action: 'client.end_grant',
    entityType: 'oauth_client',
    entityId: clientId,
    after: { userId },
  });
