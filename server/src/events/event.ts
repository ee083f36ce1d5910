import type { EventType } from './event-catalogue.js';

/** What an event is about: pushes about one entity keep their order. */
interface Entity {
  type: string;
  id: string;
  /** Grows with every change of the entity; breaks ties between events of one instant. */
  version: number;
}

export interface NewEvent {
  type: EventType;
  /** At least the instant of the entity's event before. */
  at: Date;
  entity: Entity;
  /** Whose event it is, where it concerns one customer. */
  customerCode: string | null;
  data: object;
}

export interface EventEnvelope {
  eventId: string;
  eventType: EventType;
  timestamp: string;
  data: object;
}
