import { type Database, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { organizationsWithOldMail, removeSettledMails } from './mail.store.js';

const KEPT_MS = 90 * 86_400_000;
const BATCH = 1_000;

/** Removes mails that were sent or given up more than 90 days ago, a few at a time. */
export async function removeOldMails(database: Database): Promise<number> {
  const before = new Date(database.clock.now().getTime() - KEPT_MS);
  let removed = 0;
  for (const orgId of await organizationsWithOldMail(database.worker, before)) {
    const remover = systemPrincipal(orgId, 'mailing@lotward.invalid');
    for (;;) {
      const count = await transact(database, remover, (tx) => removeSettledMails(tx, before, BATCH), {
        as: 'worker',
      });
      removed += count;
      if (count < BATCH) break;
    }
  }
  return removed;
}
