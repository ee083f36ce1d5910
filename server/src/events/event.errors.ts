import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const eventReasons = {
  cursor_expired: {
    kind: 'invalid',
    meaning: 'events after this cursor were removed: they are kept 90 days',
    remedy: 'Begin again without `after`, and compare the state of what you keep with the API.',
  },
  cursor_ahead: {
    kind: 'invalid',
    meaning:
      'this cursor is ahead of what the feed kept: the service was restored from a backup, or lost its last changes in a failover',
    remedy:
      'Begin again without `after`, pass over events whose `eventId` you have, and compare the state of what you keep with the API: changes after the backup are undone.',
  },
} as const satisfies Reasons;

export const refuseEvents = refusalOf(eventReasons);
