import type { Database, Tx } from '../platform/database/index.js';
import { hasUnnumbered, readEventHead } from './event.store.js';
import { sequenceEvents } from './sequence-events.js';

/** Numbers everything committed before the call. */
export async function numberNow(database: Database, orgId: string): Promise<void> {
  if (await hasUnnumbered(database.worker, orgId)) await sequenceEvents(database, orgId);
}

/** The last position given: later commits come after it. */
export const readFeedHead = async (tx: Tx): Promise<number> => (await readEventHead(tx)).position;
