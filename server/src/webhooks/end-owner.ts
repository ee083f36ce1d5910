import { recordAudit } from '../audit/index.js';
import { queueMail } from '../mailing/index.js';
import type { Database, Tx } from '../platform/database/index.js';
import { Failures } from '../platform/failures.js';
import { transactAsWorker } from './delivery/worker-transaction.js';
import { endMail, type MailAddresses } from './disabling-mail.js';
import {
  disableEnded,
  type EndedOwner,
  findUnsettledEnds,
  lockEnded,
  lockWebhooksOf,
  organizationsWithWebhooks,
  takeEndNotices,
} from './owner.store.js';
import { WEBHOOKS_TOPIC, type Webhook } from './webhook.js';
import { findWebhook } from './webhook.store.js';

/** Disables the webhooks of a credential or person, in the transaction that ends it. One disabled before stays as it is. */
export async function endWebhooksOf(tx: Tx, owner: EndedOwner): Promise<void> {
  await endAll(tx, await lockWebhooksOf(tx, owner));
}

async function endAll(tx: Tx, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return;
  await disableEnded(tx, webhookIds);
  await recordAudit(
    tx,
    ...webhookIds.map((webhookId) => ({
      action: 'webhook.disable',
      entityType: 'webhook',
      entityId: webhookId,
      reason: 'the owner of the webhook has ended',
      before: { status: 'enabled', disabledReason: null },
      after: { status: 'disabled', disabledReason: 'owner_ended' },
    })),
  );
  tx.announce(WEBHOOKS_TOPIC);
}

interface SettleOptions extends MailAddresses {
  /** Organizations per statement. */
  organizationsMax?: number;
}

const ORGANIZATIONS_MAX = 100;
/** The remaining webhooks of an organization with more follow in the next run, after the other organizations. */
const WEBHOOKS_MAX = 1_000;

/**
 * Disables webhooks whose owner expired, and mails the administrators about every end. Nothing is sent in the meantime
 * either, because the worker that holds the lease knows when the owner ends. Returns the number of webhooks settled.
 */
export async function settleEndedOwners(database: Database, options: SettleOptions): Promise<number> {
  const { organizationsMax = ORGANIZATIONS_MAX } = options;
  const failures = new Failures();
  let settled = 0;
  let orgIds: string[];
  let after = '';
  do {
    orgIds = await organizationsWithWebhooks(database.worker, after, organizationsMax);
    after = orgIds.at(-1) ?? '';
    const now = database.clock.now();
    for (const { orgId, webhookIds } of await findUnsettledEnds(database.worker, orgIds, now, WEBHOOKS_MAX)) {
      // An organization that cannot be settled now, for example because its rows are locked, does not delay the others.
      await failures.attempt(async () => {
        await settleAll(database, orgId, webhookIds, options);
        settled += webhookIds.length;
      });
    }
  } while (orgIds.length === organizationsMax);
  failures.throwAny((count) => `the webhooks of ${count} organizations could not be settled`);
  return settled;
}

function settleAll(
  database: Database,
  orgId: string,
  webhookIds: readonly string[],
  addresses: MailAddresses,
): Promise<void> {
  return transactAsWorker(database, orgId, async (tx) => {
    await endAll(tx, await lockEnded(tx, webhookIds));
    const webhooks: Webhook[] = [];
    for (const webhookId of await takeEndNotices(tx, webhookIds)) {
      const webhook = await findWebhook(tx, webhookId);
      if (webhook) webhooks.push(webhook);
    }
    const mail = await endMail(tx, webhooks, addresses);
    if (mail) await queueMail(tx, mail);
  });
}
