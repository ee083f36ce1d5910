import { type Database, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { lockEventHead, numberEvents, organizationsWithUnnumbered } from './event.store.js';

const BATCH = 1_000;

/**
 * Gives committed events their place in the feed. Any number may try at once: the organization's head is locked in
 * one statement, and what is visible to the next one is numbered after everything numbered before. Answers the last
 * place given.
 */
export async function sequenceEvents(database: Database, orgId: string): Promise<number> {
  const sequencer = systemPrincipal(orgId, 'sequencer@lotward.invalid');
  for (;;) {
    const { before, after } = await transact(
      database,
      sequencer,
      async (tx) => {
        const head = await lockEventHead(tx);
        return { before: head, after: head + (await numberEvents(tx, head, BATCH)) };
      },
      { as: 'worker' },
    );
    if (after - before < BATCH) return after;
  }
}

export async function sequenceAllEvents(database: Database): Promise<void> {
  for (const orgId of await organizationsWithUnnumbered(database.worker))
    await sequenceEvents(database, orgId);
}
