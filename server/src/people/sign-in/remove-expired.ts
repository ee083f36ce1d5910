import { type Database, transact } from '../../platform/database/index.js';
import { systemPrincipal } from '../../platform/principal.js';
import { removeOldAttempts } from './attempts.store.js';
import { organizationsWithExpired, removeExpiredOf } from './expired.store.js';
import { SESSION_IDLE_MS } from './session-resolver.js';

const BATCH = 1_000;

/** Removes expired sessions, mailed links and counters of failed sign-ins. */
export async function removeExpiredSignIns(database: Database): Promise<number> {
  const now = database.clock.now();
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  let removed = 0;
  for (const orgId of await organizationsWithExpired(database.worker, now, idleSince)) {
    const remover = systemPrincipal(orgId, 'sessions@lotward.invalid');
    removed += await transact(database, remover, (tx) => removeExpiredOf(tx, idleSince), { as: 'worker' });
  }
  for (;;) {
    const attempts = await removeOldAttempts(database.worker, now, BATCH);
    removed += attempts;
    if (attempts < BATCH) return removed;
  }
}
