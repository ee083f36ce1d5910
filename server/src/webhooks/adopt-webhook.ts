import { readFeedHead } from '../events/index.js';
import type { Tx } from '../platform/database/index.js';
import type { Principal } from '../platform/principal.js';
import { requireAreasOf } from './areas.js';
import { finishChange } from './change-webhook.js';
import { lockWebhook } from './load-webhook.js';
import { ownerOf } from './owner.js';
import { saveOwner } from './owner.store.js';
import type { Webhook } from './webhook.js';
import { enable } from './webhook.store.js';

/**
 * The caller becomes the owner. A webhook that was disabled because its owner ended is enabled from now on; one that was
 * disabled for another reason stays disabled.
 */
export async function adoptWebhook(tx: Tx, principal: Principal, webhookId: string): Promise<Webhook> {
  const before = await lockWebhook(tx, principal, webhookId);
  await requireAreasOf(tx, principal, webhookId);
  await saveOwner(tx, webhookId, ownerOf(principal));
  if (before.disabledReason === 'owner_ended') await enable(tx, webhookId, await readFeedHead(tx));
  return finishChange(tx, principal, before, 'webhook.adopt');
}
