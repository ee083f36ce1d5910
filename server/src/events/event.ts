import type { Concerns } from './concerns.rules.js';
import type { FeedType } from './event-catalogue.js';

/** The record an event is about. Pushes of one entity keep their order. */
interface Entity {
  type: string;
  id: string;
  /** Increases with every change of the entity: the tie-breaker between events of one instant. */
  version: number;
}

export interface NewEvent {
  type: FeedType;
  /** Not before the entity's previous event. */
  at: Date;
  entity: Entity;
  /** Set when the event concerns one customer. */
  customerCode: string | null;
  data: object;
  /** The codes it concerns, unless the payload names them. */
  concerns?: Concerns;
  /**
   * The data for customers, for an event without a customer of its own. Customers that are not named do not see the event.
   */
  views?: readonly { customerCode: string; data: object }[];
}

export interface EventEnvelope {
  eventId: string;
  eventType: FeedType;
  timestamp: string;
  data: object;
}
