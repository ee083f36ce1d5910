import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const eventReasons = {
  cursor_expired: {
    kind: 'invalid',
    meaning: 'events after this cursor were removed: they are kept 90 days',
    remedy: 'Begin again without `after`, and compare the state of what you keep with the API.',
  },
} as const satisfies Reasons;

export const refuseEvents = refusalOf(eventReasons);
