export { eventReasons } from './event.errors.js';
export type { NewEvent } from './event.js';
export { eventRoutes } from './event.routes.js';
export { EVENT_CATALOGUE, EVENT_TYPES, type EventType, envelopeOf, visibleTypes } from './event-catalogue.js';
export { numberNow, readFeedHead } from './feed-head.js';
export { publishEvents } from './publish-event.js';
export { publishedSince } from './published-since.js';
export { removeOldEventsEverywhere } from './remove-old-events.js';
export { sequenceAllEvents, sequenceEvents } from './sequence-events.js';
