import type { webhooks } from './generated/api.js';

type Events = {
  [T in keyof webhooks]: webhooks[T] extends {
    post: { requestBody: { content: { 'application/json': infer E } } };
  }
    ? E & { eventType: T }
    : never;
};

/** An event of one type. */
export type EventOf<T extends EventType> = Events[T];
export type EventType = keyof Events;
/** Any event; `eventType` tells which. */
export type LotwardEvent = Events[EventType];
