import type { NewMail } from '../mailing/index.js';
import { listAdministrators } from '../people/index.js';
import type { Tx } from '../platform/database/index.js';
import { plainName } from '../platform/mail/index.js';
import type { Webhook } from './webhook.js';

export interface MailAddresses {
  /** Linked in the mail. */
  consoleUrl: string;
  /** Notified when the organization has no address to write to. */
  adminEmail: string | null;
}

/** The administrators; if there are none, the creator of the webhook; otherwise the operator. */
async function recipientsOf(tx: Tx, webhook: Webhook, { adminEmail }: MailAddresses): Promise<string[]> {
  const administrators = await listAdministrators(tx);
  if (administrators.length > 0) return administrators;
  return [webhook.createdBy, adminEmail].filter(isReachable).slice(0, 1);
}

export async function disablingMail(
  tx: Tx,
  webhook: Webhook,
  options: MailAddresses,
): Promise<NewMail | null> {
  const to = await recipientsOf(tx, webhook, options);
  if (to.length === 0) return null;
  // The oldest event, not the first failed push: a push fails for good 21 minutes after its event.
  const since = webhook.missedSince ?? webhook.failingSince ?? tx.now;
  return {
    dedupeKey: `webhook disabled ${webhook.webhookId} ${tx.now.toISOString()}`,
    to,
    subject: `Webhook disabled: ${new URL(webhook.callbackUrl).host}`,
    text: `Lotward has disabled a webhook, because ${webhook.consecutiveFailures} pushes in a row failed.

Webhook:       ${webhook.webhookId}${webhook.description === null ? '' : ` (${plainName(webhook.description)})`}
Callback URL:  ${webhook.callbackUrl}
Event types:   ${webhook.eventTypes.join(', ')}
Missed since:  ${since.toISOString()} (the oldest event not delivered)
Disabled at:   ${tx.now.toISOString()}

Nothing is lost: events are kept for 90 days. What was waiting, and what happens from now on, is marked as skipped.

What to do:
1. See what the endpoint answered:
   GET ${options.consoleUrl}/v2/webhooks/${webhook.webhookId}/deliveries
2. Fix the endpoint, and test it:
   POST ${options.consoleUrl}/v2/webhooks/${webhook.webhookId}/test
3. Enable the webhook again:
   POST ${options.consoleUrl}/v2/webhooks/${webhook.webhookId}/enable
4. Recover the missed events:
   POST ${options.consoleUrl}/v2/webhooks/${webhook.webhookId}/recover  {"since": "${since.toISOString()}"}
`,
  };
}

const LISTED_MAX = 50;

/** One mail about all webhooks that ended together, because a key may have had a thousand. */
export async function endMail(
  tx: Tx,
  webhooks: readonly Webhook[],
  options: MailAddresses,
): Promise<NewMail | null> {
  const [first] = webhooks;
  const to = first ? await recipientsOf(tx, first, options) : [];
  if (!first || to.length === 0) return null;
  const more = webhooks.length - LISTED_MAX;
  const since = webhooks.map((each) => each.missedSince ?? tx.now).reduce((a, b) => (a < b ? a : b));
  return {
    dedupeKey: `webhooks ended ${first.webhookId} ${tx.now.toISOString()}`,
    to,
    subject:
      webhooks.length === 1
        ? `Webhook disabled: ${new URL(first.callbackUrl).host}`
        : `${webhooks.length} webhooks disabled`,
    text: `Lotward has disabled webhooks, because the credential or person they belong to has ended.

${webhooks.slice(0, LISTED_MAX).map(describeEnded).join('\n')}${more > 0 ? `\nand ${more} more: GET ${options.consoleUrl}/v2/webhooks\n` : ''}
Nothing is lost: events are kept for 90 days. What was waiting, and what happens from now on, is marked as skipped.

What to do, for each webhook:
1. Check that events should still go to its URL. If not, delete it:
   DELETE ${options.consoleUrl}/v2/webhooks/${first.webhookId}
2. Otherwise adopt it. It then belongs to you, and sends again:
   POST ${options.consoleUrl}/v2/webhooks/${first.webhookId}/adopt
3. Recover the missed events:
   POST ${options.consoleUrl}/v2/webhooks/${first.webhookId}/recover  {"since": "${since.toISOString()}"}
`,
  };
}

const describeEnded = ({ webhookId, description, callbackUrl, eventTypes, owner }: Webhook): string =>
  `Webhook:       ${webhookId}${description === null ? '' : ` (${plainName(description)})`}
Callback URL:  ${callbackUrl}
Event types:   ${eventTypes.join(', ')}
Owner:         ${plainName(owner.name ?? '')} (${owner.kind} ${owner.id ?? ''})
`;

/** Actors other than people have an address under .invalid, which receives no mail. */
const isReachable = (address: string | null): address is string =>
  address !== null && !address.endsWith('.invalid');
