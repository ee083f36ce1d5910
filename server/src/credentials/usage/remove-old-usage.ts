import { type Database, transact } from '../../platform/database/index.js';
import { systemPrincipal } from '../../platform/principal.js';
import { organizationsWithOldUsage, removeUsageBefore } from './usage.store.js';

const KEPT_MS = 90 * 86_400_000;
const HOURS_AT_ONCE = 48;

/** Removes counts older than 90 days. */
export async function removeOldUsage(database: Database): Promise<void> {
  const before = new Date(database.clock.now().getTime() - KEPT_MS);
  for (const orgId of await organizationsWithOldUsage(database.worker, before)) {
    const remover = systemPrincipal(orgId, 'worker@lotward.invalid');
    const some = () =>
      transact(database, remover, (tx) => removeUsageBefore(tx, before, HOURS_AT_ONCE), { as: 'worker' });
    while ((await some()) > 0);
  }
}
