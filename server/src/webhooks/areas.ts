import { EVENT_CATALOGUE, type EventType } from '../events/index.js';
import type { Tx } from '../platform/database/index.js';
import { forbidden } from '../platform/http/index.js';
import type { Principal } from '../platform/principal.js';
import { readSendableTypes } from './matched.store.js';

type Holder = Pick<Principal, 'scopes'>;

/** To receive a type by push, a credential needs the scope of its area, as for reading it. */
export function requireAreas(holder: Holder, eventTypes: readonly EventType[]): void {
  const lacking = eventTypes.find((type) => !holder.scopes.has(EVENT_CATALOGUE[type].scope));
  if (lacking !== undefined) throw forbidden('scope_missing', `needs ${EVENT_CATALOGUE[lacking].scope}`);
}

/**
 * Making a webhook send, or choosing its destination or signing secret, amounts to reading what it sends. So the scope of
 * every area is needed, including those of stored events from earlier subscriptions. Called under the lock of its state, so
 * that its types cannot be narrowed in between.
 */
export async function requireAreasOf(tx: Tx, holder: Holder, webhookId: string): Promise<void> {
  requireAreas(holder, (await readSendableTypes(tx, webhookId)) as EventType[]);
}
