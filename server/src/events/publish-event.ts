import type { Tx } from '../platform/database/index.js';
import { compile } from '../platform/http/index.js';
import { newId } from '../platform/ids/index.js';
import { concernsOf } from './concerns.rules.js';
import type { EventEnvelope, NewEvent } from './event.js';
import { insertEvents, type StoredEvent } from './event.store.js';
import { envelopeOf, FEED_TYPES, type FeedType } from './event-catalogue.js';

/** Announced after the commit of every new event. */
export const EVENTS_TOPIC = 'events';

const validators = new Map<FeedType, ReturnType<typeof compile>>(
  FEED_TYPES.map((type) => [type, compile(envelopeOf(type), 'body')]),
);

/** Writes events to the outbox in the transaction of their change: both are stored, or neither. */
export async function publishEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await insertEvents(tx, events.flatMap(storedOf));
  tx.announce(EVENTS_TOPIC);
}

/** A view is an event of its own, with its own id and position, that only credentials and webhooks of its customer get. */
function storedOf({ views = [], ...event }: NewEvent): StoredEvent[] {
  const customerCodes = views.map((view) => view.customerCode);
  const ofAll = customerCodes.length > 0 ? { ...event.concerns, customerCodes } : event.concerns;
  return [
    stored({ ...event, ...(ofAll ? { concerns: ofAll } : {}) }, false),
    ...views.map(({ customerCode, data }) =>
      stored(
        { ...event, customerCode, data, concerns: { ...event.concerns, customerCodes: [customerCode] } },
        true,
      ),
    ),
  ];
}

function stored(event: Omit<NewEvent, 'views'>, isCustomerView: boolean): StoredEvent {
  const envelope: EventEnvelope = {
    eventId: newId('evt', event.at),
    eventType: event.type,
    timestamp: event.at.toISOString(),
    data: event.data,
  };
  const error = validators.get(event.type)?.(envelope);
  // A payload that violates its published schema is a bug: the change fails rather than publish it.
  if (error) throw new Error(`${event.type} does not fit its schema: ${JSON.stringify(error.issues)}`);
  return {
    eventId: envelope.eventId,
    eventType: event.type,
    at: event.at,
    entityType: event.entity.type,
    entityId: event.entity.id,
    entityVersion: event.entity.version,
    customerCode: event.customerCode,
    isCustomerView,
    concerns: JSON.stringify(concernsOf(event.type, event.data, event.concerns)),
    body: JSON.stringify(envelope),
  };
}
