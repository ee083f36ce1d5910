import { createHash } from 'node:crypto';

/**
 * A place in the feed, with a tag of the event there. After a restore, or a failover that lost its tail, positions are
 * given anew: the tag tells the event that was read from another one that took its position.
 */
export interface FeedPlace {
  position: number;
  /** Null: not known, because no event is there or the cursor was given out before there were tags. */
  tag: string | null;
}

const TAG_LENGTH = 12;

export const feedPlace = (position: number, eventId: string | null): FeedPlace => ({
  position,
  tag:
    eventId === null ? null : createHash('sha256').update(eventId).digest('base64url').slice(0, TAG_LENGTH),
});

/** Whether the feed still holds what was read up to this place. */
export function isInFeed(place: FeedPlace, head: { position: number; askedEventId: string | null }): boolean {
  if (place.position > head.position) return false;
  const { tag } = feedPlace(place.position, head.askedEventId);
  return place.tag === null || tag === null || place.tag === tag;
}
