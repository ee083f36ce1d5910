import { recordAudit } from '../../audit/index.js';
import { queueMail } from '../../mailing/index.js';
import type { Database, Tx } from '../../platform/database/index.js';
import { disablingMail, type MailAddresses } from '../disabling-mail.js';
import { outcomeOf } from '../outcome.rules.js';
import type { PushPolicy, WebhookStatus } from '../webhook.js';
import { disable, findWebhook, markChanged } from '../webhook.store.js';
import type { Endpoint, ResultBatch } from './endpoint.js';
import {
  insertAttempts,
  lockHeldState,
  readDeliveries,
  readHeldToken,
  refreshNextDue,
  saveDeliveries,
  saveStanding,
} from './results.store.js';
import { transactAsWorker } from './worker-transaction.js';

export interface OutcomeOptions extends MailAddresses {
  database: Database;
  policy: PushPolicy;
}

/** Records results other than all-successful first attempts. Returns the resulting status of the webhook. */
export function recordOutcome(
  options: OutcomeOptions,
  endpoint: Pick<Endpoint, 'orgId' | 'webhookId' | 'token'>,
  { results, watermark, version }: ResultBatch,
): Promise<'lost' | WebhookStatus> {
  const { webhookId } = endpoint;
  return transactAsWorker(options.database, endpoint.orgId, async (tx) => {
    const ended = results.map((result) => result.attempt);
    const positions = ended.map((attempt) => attempt.position);
    const heldToken = await readHeldToken(tx, endpoint.token);
    const [before, known] = await Promise.all([
      lockHeldState(tx, webhookId, heldToken),
      readDeliveries(tx, webhookId, positions),
    ]);
    if (!before) return 'lost';
    const outcome = outcomeOf(before, known, ended, options.policy);
    const numbered = ended.map((attempt, i) => ({ webhookId, attempt, number: outcome.numbers[i] ?? 1 }));
    await insertAttempts(tx, numbered);
    await saveDeliveries(tx, webhookId, outcome.deliveries);
    // A watermark of an older configuration could pass an event of a type just subscribed to.
    const safeWatermark = version === before.version ? watermark : before.watermark;
    await saveStanding(tx, webhookId, safeWatermark, outcome.standing, ended);
    await refreshNextDue(tx, webhookId);
    if (outcome.disabled) await disableAfterFailures(tx, options, webhookId);
    return outcome.standing.status;
  });
}

/** Disables the webhook and notifies the administrators, once. */
export async function disableAfterFailures(
  tx: Tx,
  options: OutcomeOptions,
  webhookId: string,
): Promise<void> {
  const before = await findWebhook(tx, webhookId);
  await disable(tx, webhookId, 'consecutive_failures');
  await markChanged(tx, webhookId);
  const webhook = await findWebhook(tx, webhookId);
  if (!webhook) return;
  await recordAudit(tx, {
    action: 'webhook.disable',
    entityType: 'webhook',
    entityId: webhookId,
    reason: `${webhook.consecutiveFailures} pushes in a row failed`,
    before,
    after: webhook,
  });
  const mail = await disablingMail(tx, webhook, options);
  if (mail) await queueMail(tx, mail);
}
