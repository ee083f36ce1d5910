import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import type { Principal } from '../platform/principal.js';
import type { Webhook } from './webhook.js';
import { findWebhook, lockWebhookState } from './webhook.store.js';

type Viewer = Pick<Principal, 'boundTo'>;

/** A credential bound to a customer sees only that customer's webhooks. */
export async function readWebhook(tx: Tx, viewer: Viewer, webhookId: string): Promise<Webhook> {
  const webhook = await findWebhook(tx, webhookId);
  if (!webhook || (viewer.boundTo !== null && viewer.boundTo !== webhook.customerCode))
    throw missing('webhook', 'webhookId');
  return webhook;
}

/** Locks the webhook against every change, including results of the worker that sends for it. */
export async function lockWebhook(tx: Tx, viewer: Viewer, webhookId: string): Promise<Webhook> {
  await lockWebhookState(tx, webhookId);
  return readWebhook(tx, viewer, webhookId);
}
