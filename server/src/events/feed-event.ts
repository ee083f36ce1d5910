import type { Concerns } from './concerns.rules.js';

/** An event as it is pushed. */
export interface FeedEvent {
  position: number;
  eventId: string;
  eventType: string;
  /** Pushes of one entity keep their order. */
  entity: string;
  customerCode: string | null;
  /** Only for webhooks of its customer. */
  isCustomerView: boolean;
  /** The codes it concerns; null: every code. */
  concerns: Concerns | null;
  body: Buffer;
}

export type FeedRow = [number, string, string, string, string | null, boolean, Concerns | null, string];

/** SQL: the columns of a `FeedRow`, of the event `e`. */
export const feedColumns = (e: string): string =>
  `${e}.position, ${e}.event_id, ${e}.event_type, ${e}.entity_type || ' ' || ${e}.entity_id, ${e}.customer_code, ${e}.customer_view, ${e}.concerns, ${e}.body`;

export function toFeedEvent(row: FeedRow): FeedEvent {
  const [position, eventId, eventType, entity, customerCode, isCustomerView, concerns, body] = row;
  const event = { position, eventId, eventType, entity, customerCode, isCustomerView, concerns };
  return { ...event, body: Buffer.from(body) };
}
