export { eventReasons } from './event.errors.js';
export { eventRoutes } from './event.routes.js';
export { EVENT_CATALOGUE, EVENT_TYPES, envelopeOf } from './event-catalogue.js';
export { publishEvents } from './publish-event.js';
export { removeOldEventsEverywhere } from './remove-old-events.js';
export { sequenceAllEvents } from './sequence-events.js';
