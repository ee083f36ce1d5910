import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const eventReasons = {
  cursor_expired: {
    kind: 'invalid',
    meaning: 'events after this cursor were removed: events are kept for 90 days',
    remedy: 'Start again without `after`, and reconcile your data with the API.',
  },
  cursor_ahead: {
    kind: 'invalid',
    meaning:
      'the feed no longer has the event at this cursor: the service was restored from a backup, or lost its last changes in a failover',
    remedy:
      'Start again without `after`, skip events whose `eventId` you already have, and reconcile your data with the API: the lost changes no longer exist.',
  },
} as const satisfies Reasons;

export const refuseEvents = refusalOf(eventReasons);
