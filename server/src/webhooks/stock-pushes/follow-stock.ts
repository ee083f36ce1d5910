import { STOCK_TYPE } from '../../events/index.js';
import type { Database, Tx } from '../../platform/database/index.js';
import type { Principal } from '../../platform/principal.js';
import { numberChanges, readStockHead } from '../../stock/index.js';
import { dropCursor, startCursor } from './stock-cursor.store.js';

/** Assigns positions to all changes committed so far, so that a webhook subscribed now begins after them. */
export async function prepareStock(
  database: Database,
  principal: Principal,
  eventTypes: readonly string[] | undefined,
): Promise<void> {
  if (eventTypes?.includes(STOCK_TYPE)) await numberChanges(database, principal);
}

/** A webhook that adds the type begins at the end of the feed of stock changes; one that removes it loses its cursor. */
export async function followStock(tx: Tx, webhookId: string, eventTypes: readonly string[]): Promise<void> {
  if (eventTypes.includes(STOCK_TYPE)) startCursor(tx, webhookId, await readStockHead(tx));
  else dropCursor(tx, webhookId);
}
