import type { NewMail } from '../mailing/index.js';
import { listAdministrators } from '../people/index.js';
import type { Tx } from '../platform/database/index.js';
import { plainName } from '../platform/mail/index.js';
import type { Webhook } from './webhook.js';

/** The mail to the administrators, else to the creator of the webhook, else to the operator. */
export async function disablingMail(
  tx: Tx,
  webhook: Webhook,
  options: { consoleUrl: string; adminEmail: string | null },
): Promise<NewMail | null> {
  const administrators = await listAdministrators(tx);
  const fallback = [webhook.createdBy, options.adminEmail].find((address) => isReachable(address));
  const to = administrators.length > 0 ? administrators : fallback ? [fallback] : [];
  if (to.length === 0) return null;
  // The oldest event, not the first failed push: a push fails 21 minutes after its event.
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

/** Actors that are not people have an address under .invalid, which receives no mail. */
const isReachable = (address: string | null): address is string =>
  address !== null && !address.endsWith('.invalid');
