import { type Database, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { readTypesBetween } from './event.store.js';
import { numberNow, readFeedHead } from './feed-head.js';

interface Published {
  /** The last place in the feed. */
  position: number;
  /** What was published after the place asked about. */
  types: string[];
}

/** Which types of events were published after that place in the feed; null: only where the feed is now. */
export async function publishedSince(
  database: Database,
  orgId: string,
  after: number | null,
): Promise<Published> {
  await numberNow(database, orgId);
  return transact(database, systemPrincipal(orgId, 'news@lotward.invalid'), async (tx) => {
    const position = await readFeedHead(tx);
    const types = after === null || position <= after ? [] : await readTypesBetween(tx, after, position);
    return { position, types };
  });
}
