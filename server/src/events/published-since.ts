import { type Database, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { readEventHead, readTypesBetween } from './event.store.js';
import { FEED_TYPES } from './event-catalogue.js';
import { numberNow } from './feed-head.js';
import { type FeedPlace, feedPlace, isInFeed } from './feed-place.js';

interface Published {
  /** The head of the feed. */
  place: FeedPlace;
  types: readonly string[];
}

/** Returns the event types published after a place in the feed, and its head; `after` null: only the head. */
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
    // A restore moved the feed back, so anything may have changed.
    if (!isInFeed(after, head)) return { place, types: FEED_TYPES };
    const isNewer = place.position > after.position;
    return { place, types: isNewer ? await readTypesBetween(tx, after.position, place.position) : [] };
  });
}
