import {
  type Database,
  removeInBatches,
  type SweepOptions,
  sweepOrganizations,
} from '../platform/database/index.js';
import { removeExpiredArtifacts } from './artifact.store.js';
import { organizationsWithExpiredTokens, removeExpiredTokens } from './token.store.js';

/** Removes expired codes, grants and refresh tokens, and the revocations of expired tokens. */
export async function removeExpiredGrants(database: Database, options: SweepOptions = {}): Promise<void> {
  const now = database.clock.now();
  await removeInBatches((rowsMax) => removeExpiredArtifacts(database.worker, now, rowsMax), options);
  const orgIds = await organizationsWithExpiredTokens(database.worker, now);
  await sweepOrganizations(database, orgIds, removeExpiredTokens, options);
}
