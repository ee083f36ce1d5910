import { organizationOfClient } from '../credentials/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { clientOfGrant, removeGrant } from './artifact.store.js';

const PROVIDER = 'oauth@lotward.invalid';

/** Called in the transaction that ends a grant. One that expires is not announced. */
export const onGrantEnded = createHook<[tx: Tx, grantHash: Buffer]>('oauth.onGrantEnded');

/** Ends a grant with all its tokens. */
export async function endGrantIn(tx: Tx, grantHash: Buffer): Promise<void> {
  await removeGrant(tx, grantHash);
  await onGrantEnded(tx, grantHash);
}

/** Does nothing if the grant has ended: nothing is added to it after that. */
export async function endGrant(database: Database, grantHash: Buffer): Promise<void> {
  const clientId = await clientOfGrant(database.app, grantHash);
  const orgId = clientId === null ? null : await organizationOfClient(database.reader, clientId);
  if (orgId === null) return;
  await transact(database, systemPrincipal(orgId, PROVIDER), (tx) => endGrantIn(tx, grantHash));
}
