export type { Concerns } from './concerns.rules.js';
export { eventReasons, refuseEvents } from './event.errors.js';
export type { EventEnvelope } from './event.js';
export { eventRoutes } from './event.routes.js';
export { organizationsWithUnnumbered, readPositionsOf } from './event.store.js';
export {
  EVENT_CATALOGUE,
  EVENT_TYPES,
  type EventType,
  envelopeOf,
  FEED_TYPES,
  type FeedType,
  STOCK_TYPE,
  URGENT_TYPES,
  visibleTypes,
} from './event-catalogue.js';
export { type FeedEvent, type FeedRow, feedColumns, toFeedEvent } from './feed-event.js';
export { numberNow, readFeedHead } from './feed-head.js';
export type { FeedPlace } from './feed-place.js';
export { EVENTS_TOPIC, publishEvents } from './publish-event.js';
export { publishedSince } from './published-since.js';
export { removeOldEventsEverywhere } from './remove-old-events.js';
export {
  type Sequenced,
  type SequencedAndRead,
  sequenceAndRead,
  sequenceEvents,
  sequenceNextEvents,
} from './sequence-events.js';
export { findFewSubjects, findSubjects, type Subjects } from './subjects.js';
