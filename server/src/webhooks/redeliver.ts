import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import type { Principal } from '../platform/principal.js';
import { requireAreasOf } from './areas.js';
import { refreshNextDue } from './delivery/results.store.js';
import {
  countMissed,
  type LoggedDelivery,
  listDeliveries,
  readProgress,
  recoverSince,
  redeliverNow,
} from './delivery-log.store.js';
import { lockWebhook } from './load-webhook.js';
import { skipBetween } from './matched.store.js';
import { refuseWebhook } from './webhook.errors.js';
import { eventIdOf } from './webhook.js';
import { markChanged } from './webhook.store.js';

type Caller = Pick<Principal, 'boundTo' | 'scopes'>;

export async function readDelivery(tx: Tx, webhookId: string, deliveryId: string): Promise<LoggedDelivery> {
  const eventId = eventIdOf(webhookId, deliveryId);
  const [delivery] = eventId === null ? [] : await listDeliveries(tx, webhookId, { eventId }, null, 1);
  if (!delivery) throw missing('delivery', 'deliveryId');
  return delivery;
}

/** Sends a push once more, in any status; it never counts as a failed push. */
export async function redeliver(
  tx: Tx,
  caller: Caller,
  webhookId: string,
  deliveryId: string,
): Promise<LoggedDelivery> {
  const webhook = await lockWebhook(tx, caller, webhookId);
  const delivery = await readDelivery(tx, webhookId, deliveryId);
  await requireAreasOf(tx, caller, webhookId);
  if (webhook.status === 'disabled') throw refuseWebhook('webhook_disabled', null);
  // A pending push will be sent anyway.
  if (delivery.status === 'pending') return delivery;
  const { watermark, sendFrom } = await readProgress(tx, webhookId);
  if (delivery.status === 'skipped') await skipBetween(tx, webhookId, watermark, sendFrom);
  await redeliverNow(tx, webhookId, delivery.position, delivery.attempts.length);
  await refreshNextDue(tx, webhookId);
  await markChanged(tx, webhookId);
  await recordAudit(tx, {
    action: 'webhook.redeliver',
    entityType: 'webhook',
    entityId: webhookId,
    after: { deliveryId, eventId: delivery.eventId },
  });
  return readDelivery(tx, webhookId, deliveryId);
}

export interface Recovery {
  dryRun: boolean;
  failed: number;
  skipped: number;
  total: number;
}

/** Sends failed and skipped events again, in order and with all retries. */
export async function recover(
  tx: Tx,
  caller: Caller,
  webhookId: string,
  input: { since: Date; dryRun: boolean },
): Promise<Recovery> {
  const webhook = await lockWebhook(tx, caller, webhookId);
  if (!input.dryRun) await requireAreasOf(tx, caller, webhookId);
  if (webhook.status === 'disabled' && !input.dryRun) throw refuseWebhook('webhook_disabled', null);
  const { failed, skipped } = await countMissed(tx, webhookId, input.since);
  const recovery = { dryRun: input.dryRun, failed, skipped, total: failed + skipped };
  if (input.dryRun || recovery.total === 0) return recovery;
  const { watermark, sendFrom } = await readProgress(tx, webhookId);
  // Events missed just now may not be stored as skipped yet.
  await skipBetween(tx, webhookId, watermark, sendFrom);
  await recoverSince(tx, webhookId, input.since);
  await refreshNextDue(tx, webhookId);
  await markChanged(tx, webhookId);
  await recordAudit(tx, {
    action: 'webhook.recover',
    entityType: 'webhook',
    entityId: webhookId,
    after: { since: input.since, ...recovery },
  });
  return recovery;
}
