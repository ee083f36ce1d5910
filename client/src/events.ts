import type { webhooks } from './generated/api.js';

type Events = {
  [T in keyof webhooks]: webhooks[T] extends {
    post: { requestBody: { content: { 'application/json': infer E } } };
  }
    ? E & { eventType: T }
    : never;
};

/** The event of one type. */
export type EventOf<T extends EventType> = Events[T];
/** The type of an event, such as `order.status_changed`. */
export type EventType = keyof Events;
/** Any event, discriminated by `eventType`. */
export type LotwardEvent = Events[EventType];
