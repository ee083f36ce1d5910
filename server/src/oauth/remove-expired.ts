import { type Database, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { removeExpiredArtifacts } from './artifact.store.js';
import { organizationsWithExpiredTokens, removeExpiredTokens } from './token.store.js';

const BATCH = 1_000;

/** Removes expired codes, grants, refresh tokens and revocations. */
export async function removeExpiredGrants(database: Database): Promise<void> {
  const now = database.clock.now();
  while ((await removeExpiredArtifacts(database.worker, now, BATCH)) === BATCH);
  for (const orgId of await organizationsWithExpiredTokens(database.worker, now)) {
    const remover = systemPrincipal(orgId, 'worker@lotward.invalid');
    await transact(database, remover, removeExpiredTokens, { as: 'worker' });
  }
}
