import { type Database, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { numberNextEvents } from './event.store.js';

const BATCH = 1_000;

/** Gives the next committed events their positions in the feed. Safe to run concurrently. */
export async function sequenceNextEvents(
  database: Database,
  orgId: string,
): Promise<{ head: number; hasMore: boolean }> {
  const sequencer = systemPrincipal(orgId, 'sequencer@lotward.invalid');
  return transact(
    database,
    sequencer,
    async (tx) => {
      const { head, numbered } = await numberNextEvents(tx, BATCH);
      return { head, hasMore: numbered === BATCH };
    },
    { as: 'worker' },
  );
}

/** Numbers everything committed so far; returns the last position given. */
export async function sequenceEvents(database: Database, orgId: string): Promise<number> {
  for (;;) {
    const { head, hasMore } = await sequenceNextEvents(database, orgId);
    if (!hasMore) return head;
  }
}
