import { randomBytes } from 'node:crypto';
import { recordAudit } from '../audit/index.js';
import { readFeedHead } from '../events/index.js';
import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import type { SecretBox } from '../platform/secrets/index.js';
import { type CodeFilter, NO_FILTER } from './code-filter.rules.js';
import type { OwnHeaders } from './header.rules.js';
import type { OwnerIds } from './owner.js';
import { sealHeaders } from './sealed-headers.store.js';
import { secretPlace } from './sealed-secrets.store.js';
import { followStock } from './stock-pushes/follow-stock.js';
import { refuseWebhook } from './webhook.errors.js';
import { WEBHOOKS_TOPIC, type Webhook } from './webhook.js';
import { findWebhook, insertNewWebhook, lockWebhookCount } from './webhook.store.js';

const WEBHOOKS_MAX = 1_000;
/** Keeps one customer from using up the quota that the organization and its other customers need. */
const CUSTOMER_WEBHOOKS_MAX = 20;
const SECRET_BYTES = 32;

export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

const STANDARD_SECRET = /^whsec_(?<encoded>.*)$/;
const KEY_BYTES_MIN = 16;

/** Standard Webhooks libraries sign with the decoded `whsec_` secret, and invalid base64 decodes to an empty key. */
export function requireUsableSecret(secret: string | undefined): void {
  const encoded = STANDARD_SECRET.exec(secret ?? '')?.groups?.encoded;
  if (encoded === undefined) return;
  const key = Buffer.from(encoded, 'base64');
  if (key.length < KEY_BYTES_MIN || key.toString('base64') !== encoded)
    throw refuseWebhook('bad_secret', '/secret');
}

/** Pushes events from now on; the secret is returned only this once. */
export async function createWebhook(
  tx: Tx,
  box: SecretBox,
  input: {
    callbackUrl: string;
    eventTypes: readonly string[];
    filter?: CodeFilter;
    headers?: OwnHeaders;
    description: string | null;
    customerCode: string | null;
    owner: OwnerIds;
    secret: string | undefined;
  },
): Promise<{ webhook: Webhook; secret: string }> {
  requireUsableSecret(input.secret);
  await requireRoom(tx, input.customerCode);
  const secret = input.secret ?? newSecret();
  const webhookId = newId('whk', tx.now);
  const { callbackUrl, filter = NO_FILTER, headers = {}, description, customerCode } = input;
  const eventTypes = [...new Set(input.eventTypes)];
  const head = await readFeedHead(tx);
  await insertNewWebhook(
    tx,
    { webhookId, callbackUrl, eventTypes, filter, description, customerCode },
    input.owner,
    {
      secret: box.seal(secret, secretPlace(tx.orgId, webhookId)),
      ...sealHeaders(box, tx.orgId, webhookId, headers),
    },
    head,
  );
  await followStock(tx, webhookId, eventTypes);
  const webhook = await findWebhook(tx, webhookId);
  if (!webhook) throw new Error('created webhook not found');
  await recordAudit(tx, {
    action: 'webhook.create',
    entityType: 'webhook',
    entityId: webhookId,
    after: webhook,
  });
  tx.announce(WEBHOOKS_TOPIC);
  return { webhook, secret };
}

/** The webhooks of customers do not count towards those of the organization. */
async function requireRoom(tx: Tx, customerCode: string | null): Promise<void> {
  const count = await lockWebhookCount(tx, customerCode);
  if (customerCode === null) {
    if (count >= WEBHOOKS_MAX) throw refuseWebhook('too_many_webhooks', null);
  } else if (count >= CUSTOMER_WEBHOOKS_MAX) throw refuseWebhook('too_many_customer_webhooks', null);
}
