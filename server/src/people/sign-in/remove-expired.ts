import { type Database, transact } from '../../platform/database/index.js';
import { systemPrincipal } from '../../platform/principal.js';
import { forgetAttempts } from './attempts.store.js';
import { organizationsWithExpired, removeExpiredOf } from './expired.store.js';
import { SESSION_IDLE_MS } from './session-resolver.js';

const BATCH = 1_000;

/** Removes sessions and mailed links that have ended, and forgets failed attempts to sign in. */
export async function removeExpiredSignIns(database: Database): Promise<number> {
  const now = database.clock.now();
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  let removed = 0;
  for (const orgId of await organizationsWithExpired(database.worker, now, idleSince)) {
    const remover = systemPrincipal(orgId, 'sessions@lotward.invalid');
    removed += await transact(database, remover, (tx) => removeExpiredOf(tx, idleSince), { as: 'worker' });
  }
  for (;;) {
    const forgotten = await forgetAttempts(database.worker, now, BATCH);
    removed += forgotten;
    if (forgotten < BATCH) return removed;
  }
}
