import { recordAudit } from '../audit/index.js';
import { readFeedHead } from '../events/index.js';
import type { Tx } from '../platform/database/index.js';
import type { Principal } from '../platform/principal.js';
import { OVERLAP_SECONDS_MAX, type SecretBox } from '../platform/secrets/index.js';
import { requireAreasOf } from './areas.js';
import type { CodeFilter } from './code-filter.rules.js';
import { newSecret, requireUsableSecret } from './create-webhook.js';
import type { OwnHeaders } from './header.rules.js';
import { lockWebhook, readWebhook } from './load-webhook.js';
import { hasOwnerEnded } from './owner.store.js';
import { sealHeaders } from './sealed-headers.store.js';
import { secretPlace } from './sealed-secrets.store.js';
import { followStock } from './stock-pushes/follow-stock.js';
import { dropCursor } from './stock-pushes/stock-cursor.store.js';
import { refuseWebhook } from './webhook.errors.js';
import { WEBHOOKS_TOPIC, type Webhook, type WebhookStatus } from './webhook.js';
import {
  disable,
  enable,
  markChanged,
  readSecrets,
  remove,
  saveHeaders,
  saveSecrets,
  saveSubscription,
  saveWebhook,
} from './webhook.store.js';

export interface WebhookChange {
  callbackUrl?: string | undefined;
  eventTypes?: readonly string[] | undefined;
  filter?: CodeFilter | undefined;
  /** The complete set: headers that are not named are removed. */
  headers?: OwnHeaders | undefined;
  description?: string | null | undefined;
  status?: WebhookStatus | undefined;
}

type Viewer = Pick<Principal, 'boundTo'>;
type Caller = Pick<Principal, 'boundTo' | 'scopes'>;

export async function changeWebhook(
  tx: Tx,
  box: SecretBox,
  caller: Caller,
  webhookId: string,
  change: WebhookChange,
): Promise<Webhook> {
  const before = await lockWebhook(tx, caller, webhookId);
  const { callbackUrl = before.callbackUrl, filter = before.filter, headers } = change;
  // Another filter lets through events that were excluded before; headers influence the receiver, as the address does.
  const isRedirected = change.callbackUrl !== undefined || headers !== undefined;
  if (isRedirected || change.filter !== undefined || change.status === 'enabled')
    await requireAreasOf(tx, caller, webhookId);
  const eventTypes = change.eventTypes === undefined ? before.eventTypes : [...new Set(change.eventTypes)];
  const description = change.description === undefined ? before.description : change.description;
  await saveWebhook(tx, { ...before, callbackUrl, eventTypes, filter, description });
  if (headers !== undefined) saveHeaders(tx, webhookId, sealHeaders(box, tx.orgId, webhookId, headers));
  // Earlier events keep the types and codes subscribed to at the time, whether sent or not.
  if (change.eventTypes !== undefined || change.filter !== undefined)
    await saveSubscription(tx, { webhookId, eventTypes, filter }, await readFeedHead(tx));
  if (change.eventTypes !== undefined) await followStock(tx, webhookId, eventTypes);
  if (change.status === 'disabled' && before.status === 'enabled') await disable(tx, webhookId, 'manual');
  if (change.status === 'enabled' && before.status === 'disabled') {
    await requireOwner(tx, before);
    await enable(tx, webhookId, await readFeedHead(tx));
  }
  return finishChange(tx, caller, before, 'webhook.update');
}

/** Enabling a webhook that is already enabled resets its failure count. */
export async function enableWebhook(tx: Tx, caller: Caller, webhookId: string): Promise<Webhook> {
  const before = await lockWebhook(tx, caller, webhookId);
  await requireAreasOf(tx, caller, webhookId);
  await requireOwner(tx, before);
  // An enabled webhook has missed nothing, so its pending pushes must not be skipped.
  await enable(tx, webhookId, before.status === 'disabled' ? await readFeedHead(tx) : 0);
  return finishChange(tx, caller, before, 'webhook.enable');
}

/** Once its owner has ended, a webhook sends again only for a new owner. The reason stays, even if the person returns. */
async function requireOwner(tx: Tx, webhook: Webhook): Promise<void> {
  if (webhook.disabledReason === 'owner_ended' || (await hasOwnerEnded(tx, webhook.webhookId)))
    throw refuseWebhook('owner_ended', null);
}

/** Until the overlap ends, pushes carry both signatures; the signature header keeps the old one. */
export async function rotateSecret(
  tx: Tx,
  box: SecretBox,
  caller: Caller,
  webhookId: string,
  input: { overlapSeconds: number; secret: string | undefined },
): Promise<{ webhook: Webhook; secret: string }> {
  if (input.overlapSeconds > OVERLAP_SECONDS_MAX) throw refuseWebhook('overlap_too_long', '/overlapSeconds');
  requireUsableSecret(input.secret);
  const before = await lockWebhook(tx, caller, webhookId);
  await requireAreasOf(tx, caller, webhookId);
  const secret = input.secret ?? newSecret();
  const sealed = box.seal(secret, secretPlace(tx.orgId, webhookId));
  if (input.overlapSeconds === 0) {
    await saveSecrets(tx, webhookId, { secret: sealed, nextSecret: null, overlapUntil: null });
  } else {
    const known = await readSecrets(tx, webhookId);
    // A rotation during an overlap ends the oldest secret immediately: there are never more than two.
    const old = known.nextSecret ?? known.secret;
    const overlapUntil = new Date(tx.now.getTime() + input.overlapSeconds * 1000);
    await saveSecrets(tx, webhookId, { secret: old, nextSecret: sealed, overlapUntil });
  }
  return { webhook: await finishChange(tx, caller, before, 'webhook.rotate_secret'), secret };
}

export async function deleteWebhook(tx: Tx, viewer: Viewer, webhookId: string): Promise<Webhook> {
  const webhook = await lockWebhook(tx, viewer, webhookId);
  dropCursor(tx, webhookId);
  await remove(tx, webhookId);
  await recordAudit(tx, {
    action: 'webhook.delete',
    entityType: 'webhook',
    entityId: webhookId,
    before: webhook,
  });
  tx.announce(WEBHOOKS_TOPIC);
  return webhook;
}

/** Makes the worker reload the webhook, and records the change. */
export async function finishChange(
  tx: Tx,
  viewer: Viewer,
  before: Webhook,
  action: string,
): Promise<Webhook> {
  await markChanged(tx, before.webhookId);
  const after = await readWebhook(tx, viewer, before.webhookId);
  await recordAudit(tx, { action, entityType: 'webhook', entityId: before.webhookId, before, after });
  return after;
}
