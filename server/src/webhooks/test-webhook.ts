import type { EventType } from '../events/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import type { Attempt } from '../platform/outbound-http/index.js';
import type { Principal } from '../platform/principal.js';
import type { SecretBox } from '../platform/secrets/index.js';
import { requireAreasOf } from './areas.js';
import { readWebhook } from './load-webhook.js';
import type { Outbound } from './outbound.js';
import { sampleOf } from './samples.rules.js';
import { openHeaders } from './sealed-headers.store.js';
import { openerFor } from './sealed-secrets.store.js';
import { keyPairOf, keysAt, pushHeaders } from './signing.js';
import { refuseWebhook } from './webhook.errors.js';
import { deliveryIdOf, type PushPolicy } from './webhook.js';
import { readSecrets } from './webhook.store.js';

export interface TestPush {
  eventId: string;
  eventType: EventType;
  at: Date;
  attempt: Attempt;
}

interface TestOptions {
  database: Database;
  box: SecretBox;
  outbound: Outbound;
  policy: PushPolicy;
}

/** Sends a sample event, marked as a test. It is not part of the feed, the counts or the log. */
export async function sendTest(
  { database, box, outbound, policy }: TestOptions,
  principal: Principal,
  webhookId: string,
  asked: EventType | undefined,
): Promise<TestPush> {
  const { webhook, secrets } = await transact(database, principal, async (tx) => {
    const found = await readWebhook(tx, principal, webhookId);
    await requireAreasOf(tx, principal, webhookId);
    return { webhook: found, secrets: await readSecrets(tx, webhookId) };
  });
  const eventType = asked ?? (webhook.eventTypes[0] as EventType);
  if (!webhook.eventTypes.includes(eventType)) throw refuseWebhook('not_subscribed', '/eventType');
  const at = database.clock.now();
  const eventId = newId('evt', at);
  const envelope = { eventId, eventType, timestamp: at.toISOString(), data: sampleOf(eventType, at) };
  const body = Buffer.from(JSON.stringify(envelope));
  const pair = keyPairOf(secrets, openerFor(box, principal.orgId, webhookId));
  const keys = keysAt(pair, secrets.overlapUntil, at);
  const push = { eventId, eventType, body, deliveryId: deliveryIdOf(webhookId, eventId), attempt: 1 };
  const own = openHeaders(box, principal.orgId, webhookId, secrets.headers);
  const signed = { ...push, test: true as const, sandbox: principal.sandbox !== null };
  const headers = pushHeaders(policy.headerPrefix, keys, signed, at, own);
  const { sender } = await outbound.forOrganization(principal.orgId);
  const attempt = await sender.send({ caller: principal.orgId, url: webhook.callbackUrl, headers, body });
  return { eventId, eventType, at, attempt };
}
