import { type Database, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { readEventHead, readTypesBetween } from './event.store.js';
import { EVENT_TYPES } from './event-catalogue.js';
import { numberNow } from './feed-head.js';
import { type FeedPlace, feedPlace, isInFeed } from './feed-place.js';

interface Published {
  /** The last place in the feed. */
  place: FeedPlace;
  /** What was published after the place asked about. */
  types: readonly string[];
}

/** Which types of events were published after that place in the feed; null: only where the feed is now. */
export async function publishedSince(
  database: Database,
  orgId: string,
  after: FeedPlace | null,
): Promise<Published> {
  await numberNow(database, orgId);
  return transact(database, systemPrincipal(orgId, 'news@lotward.invalid'), async (tx) => {
    const head = await readEventHead(tx, after?.position);
    const place = feedPlace(head.position, head.eventId);
    if (after === null) return { place, types: [] };
    // The feed was set back: anything may be other than it was.
    if (!isInFeed(after, head)) return { place, types: EVENT_TYPES };
    const isNewer = place.position > after.position;
    return { place, types: isNewer ? await readTypesBetween(tx, after.position, place.position) : [] };
  });
}
