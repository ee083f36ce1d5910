import { statement } from '../platform/database/index.js';
import { freshSeal, type SealedRows, sealBeginning } from '../platform/sealed-rows/index.js';
import type { SealPlace, SecretBox } from '../platform/secrets/index.js';

/** Both secrets of a webhook share one place, because the next one becomes the current one unchanged. */
export const secretPlace = (orgId: string, webhookId: string): SealPlace => ({
  purpose: 'webhook secret',
  orgId,
  id: webhookId,
});

/** Opens the secrets of one webhook. */
export const openerFor =
  (box: SecretBox, orgId: string, webhookId: string) =>
  (sealed: string): string =>
    box.open(sealed, secretPlace(orgId, webhookId));

export const sealedWebhookSecrets: SealedRows = {
  kind: 'webhook secrets',
  hasOrganization: true,
  count: statement(`
    select ${sealBeginning('s.sealed')} as sealed, count(*)::integer as count
    from webhooks w, unnest(array[w.secret, w.next_secret]) as s(sealed) where s.sealed is not null group by 1`),
  read: statement(`
    select webhook_id as id, array[secret, next_secret] as sealed from webhooks
    where org_id = $1 and webhook_id > $2 order by webhook_id limit $3`),
  replace: statement(`
    update webhooks set secret = ${freshSeal(1, 'secret')}, next_secret = ${freshSeal(2, 'next_secret')}
    where org_id = $1 and webhook_id = $2 and array[secret, next_secret] is not distinct from $3::text[] returning 1`),
  place: secretPlace,
};
