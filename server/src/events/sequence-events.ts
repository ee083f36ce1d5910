import { type Database, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { lockEventHead, numberEvents, organizationsWithUnnumbered } from './event.store.js';

const BATCH = 1_000;

/**
 * Gives committed events their place in the feed. Any number may try at once: the organization's head is locked in
 * one statement, and what is visible to the next one is numbered after everything numbered before.
 */
export async function sequenceEvents(database: Database, orgId: string): Promise<number> {
  const sequencer = systemPrincipal(orgId, 'sequencer@lotward.invalid');
  let numbered = 0;
  for (;;) {
    const count = await transact(
      database,
      sequencer,
      async (tx) => numberEvents(tx, await lockEventHead(tx), BATCH),
      { as: 'worker' },
    );
    numbered += count;
    if (count < BATCH) return numbered;
  }
}

export async function sequenceAllEvents(database: Database): Promise<number> {
  let numbered = 0;
  for (const orgId of await organizationsWithUnnumbered(database.worker)) {
    numbered += await sequenceEvents(database, orgId);
  }
  return numbered;
}
