import { recordAudit } from '../../audit/index.js';
import { queueMail } from '../../mailing/index.js';
import { type Database, type Tx, transact } from '../../platform/database/index.js';
import { systemPrincipal } from '../../platform/principal.js';
import { disablingMail } from '../disabling-mail.js';
import { skipBetween } from '../matched.store.js';
import { outcomeOf } from '../outcome.rules.js';
import type { PushPolicy, WebhookStatus } from '../webhook.js';
import { disable, findWebhook, noteChange } from '../webhook.store.js';
import type { Ended, Endpoint } from './endpoint.js';
import {
  insertAttempts,
  lockHeldState,
  noteNextDue,
  readDeliveries,
  saveDeliveries,
  saveStanding,
  settleTo,
} from './results.store.js';
import { type FeedEvent, findRecovering } from './supply.store.js';

export interface OutcomeOptions {
  database: Database;
  policy: PushPolicy;
  /** Where the administrators find out about a webhook. */
  consoleUrl: string;
  /** Told when nobody else can be. */
  adminEmail: string | null;
}

const SENDER = 'webhooks@lotward.invalid';

const asWorker = <T>(database: Database, orgId: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  transact(database, systemPrincipal(orgId, SENDER), work, { as: 'worker' });

/** What became of attempts of which not all were first ones that succeeded. */
export function recordOutcome(
  options: OutcomeOptions,
  endpoint: Endpoint,
  results: readonly Ended[],
  progress: { settledTo: number; version: number },
): Promise<'lost' | WebhookStatus> {
  const { webhookId } = endpoint;
  return asWorker(options.database, endpoint.orgId, async (tx) => {
    const before = await lockHeldState(tx, webhookId, endpoint.token);
    if (!before) return 'lost';
    const ended = results.map((result) => result.attempt);
    const positions = ended.map((attempt) => attempt.position);
    const known = await readDeliveries(tx, webhookId, positions);
    const outcome = outcomeOf(before, known, ended, options.policy);
    const noted = ended.map((attempt, i) => ({ webhookId, attempt, number: outcome.numbers[i] ?? 1 }));
    await insertAttempts(tx, noted);
    await saveDeliveries(tx, webhookId, outcome.deliveries);
    const settledTo = progress.version === before.version ? progress.settledTo : before.settledTo;
    await saveStanding(tx, webhookId, settledTo, outcome.standing, ended);
    await noteNextDue(tx, webhookId);
    if (outcome.disabled) await disableFor(tx, options, webhookId);
    return outcome.standing.status;
  });
}

/** Too many failures in a row: nothing more is sent, and the administrators are told, once. */
async function disableFor(tx: Tx, options: OutcomeOptions, webhookId: string): Promise<void> {
  const before = await findWebhook(tx, webhookId);
  await disable(tx, webhookId, 'consecutive_failures');
  await noteChange(tx, webhookId);
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

/** Notes as skipped what was missed while it was disabled. Null: the lease is lost; else up to where it is settled. */
export function skipMissed(database: Database, endpoint: Endpoint): Promise<number | null> {
  const { webhookId, head } = endpoint;
  return asWorker(database, endpoint.orgId, async (tx) => {
    const state = await lockHeldState(tx, webhookId, endpoint.token);
    if (!state) return null;
    const upTo = Math.max(state.settledTo, state.status === 'disabled' ? head : state.sendFrom);
    await skipBetween(tx, webhookId, state.settledTo, upTo);
    await settleTo(tx, webhookId, upTo);
    return upTo;
  });
}

/**
 * While older events of an entity wait to be recovered, its new ones queue behind them, so that they arrive in order.
 * Null: the lease is lost; else those that may go at once.
 */
export function queueBehindRecovery(
  database: Database,
  endpoint: Endpoint,
  events: readonly FeedEvent[],
): Promise<FeedEvent[] | null> {
  const { webhookId } = endpoint;
  return asWorker(database, endpoint.orgId, async (tx) => {
    if (!(await lockHeldState(tx, webhookId, endpoint.token))) return null;
    const waiting = await findRecovering(
      tx,
      webhookId,
      events.map((event) => event.entity),
    );
    const behind = events.filter((event) => waiting.has(event.entity));
    await saveDeliveries(
      tx,
      webhookId,
      behind.map(({ position }) => ({
        position,
        status: 'recovering' as const,
        attempts: 0,
        tries: 0,
        dueAt: tx.now,
        manual: false,
        resumeDueAt: null,
      })),
    );
    await noteNextDue(tx, webhookId);
    return events.filter((event) => !waiting.has(event.entity));
  });
}
