import { type Database, type SweepOptions, type Tx, transact } from '../platform/database/index.js';
import { Failures } from '../platform/failures.js';
import { systemPrincipal } from '../platform/principal.js';
import { endGrantsOf } from './end-grants.js';
import { findSupersededGrants, type SupersededGrants } from './grant.store.js';

const PEOPLE_MAX = 100;

/**
 * Ends the grants, with their webhooks, that a change of an account invalidated but did not remove in every organization of
 * the person, because its process died or rows were locked. Their tokens are refused anyway; their webhooks are not.
 */
export async function endSupersededGrants(
  database: Database,
  { rowsMax = PEOPLE_MAX, signal }: SweepOptions = {},
): Promise<void> {
  const failures = new Failures();
  let found: SupersededGrants[];
  let after = { orgId: '', userId: '' };
  do {
    found = await findSupersededGrants(database.worker, after, rowsMax);
    after = found.at(-1) ?? after;
    for (const { orgId, userId, email, generation } of found) {
      if (signal?.aborted) return;
      // Recorded as done by the person, like the change itself. A failure does not delay the others.
      const end = (tx: Tx) => endGrantsOf(tx, { userId, before: generation });
      await failures.attempt(() => transact(database, systemPrincipal(orgId, email), end, { as: 'worker' }));
    }
  } while (found.length === rowsMax);
  failures.throwAny((count) => `the superseded grants of ${count} people could not be ended`);
}
