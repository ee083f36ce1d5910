import { createHash } from 'node:crypto';

/**
 * A position in the feed, with a tag of the event there. After a restore, or a failover that lost its tail, positions are
 * given again: the tag distinguishes the event that was read from another that took its position.
 */
export interface FeedPlace {
  position: number;
  /** Null: there is no event, or the cursor was issued before tags existed. */
  tag: string | null;
}

const TAG_LENGTH = 12;

export const feedPlace = (position: number, eventId: string | null): FeedPlace => ({
  position,
  tag:
    eventId === null ? null : createHash('sha256').update(eventId).digest('base64url').slice(0, TAG_LENGTH),
});

/** Whether the feed still has the event that was read at this place. */
export function isInFeed(place: FeedPlace, head: { position: number; askedEventId: string | null }): boolean {
  if (place.position > head.position) return false;
  const { tag } = feedPlace(place.position, head.askedEventId);
  return place.tag === null || tag === null || place.tag === tag;
}
