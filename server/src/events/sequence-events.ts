import { type Database, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { lockEventHead, numberEvents } from './event.store.js';

const BATCH = 1_000;

/**
 * Gives the next committed events their positions in the feed. Safe to run concurrently: one statement locks the
 * organization's head, so what the next statement sees is numbered after everything numbered before.
 */
export async function sequenceNextEvents(
  database: Database,
  orgId: string,
): Promise<{ head: number; hasMore: boolean }> {
  const sequencer = systemPrincipal(orgId, 'sequencer@lotward.invalid');
  return transact(
    database,
    sequencer,
    async (tx) => {
      const before = await lockEventHead(tx);
      const numbered = await numberEvents(tx, before, BATCH);
      return { head: before + numbered, hasMore: numbered === BATCH };
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
