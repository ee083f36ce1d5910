import { EVENT_CATALOGUE, type EventType } from '../events/index.js';
import type { Tx } from '../platform/database/index.js';
import { forbidden } from '../platform/http/index.js';
import type { Principal } from '../platform/principal.js';
import { readSendableTypes } from './matched.store.js';

type Holder = Pick<Principal, 'scopes'>;

/** To be pushed a type, a credential needs the scope of its area, as for reading it. */
export function requireAreas(holder: Holder, eventTypes: readonly EventType[]): void {
  const lacking = eventTypes.find((type) => !holder.scopes.has(EVENT_CATALOGUE[type].scope));
  if (lacking !== undefined) throw forbidden('scope_missing', `needs ${EVENT_CATALOGUE[lacking].scope}`);
}

/**
 * To have a webhook send, or to choose where it sends to and who can sign, is as good as reading what it sends: the scope
 * of every area is needed, also of events kept from a time when it was subscribed to more. Called under the lock of its
 * state, so that nobody narrows it in between.
 */
export async function requireAreasOf(tx: Tx, holder: Holder, webhookId: string): Promise<void> {
  requireAreas(holder, (await readSendableTypes(tx, webhookId)) as EventType[]);
}
