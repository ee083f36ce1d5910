import type { Database, Tx } from '../platform/database/index.js';
import { hasUnnumbered, readEventHead } from './event.store.js';
import { sequenceEvents } from './sequence-events.js';

/** What was committed before this call has its place in the feed after it. */
export async function numberNow(database: Database, orgId: string): Promise<void> {
  if (await hasUnnumbered(database.worker, orgId)) await sequenceEvents(database, orgId);
}

/** The last place given: whatever is committed from now on comes after it. */
export const readFeedHead = async (tx: Tx): Promise<number> => (await readEventHead(tx)).position;
