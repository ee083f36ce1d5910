import { statement } from '../platform/database/index.js';
import { freshSeal, type SealedRows, sealBeginning } from '../platform/sealed-rows/index.js';
import type { SealPlace, SecretBox } from '../platform/secrets/index.js';
import type { OwnHeaders } from './header.rules.js';
import type { SealedHeaders } from './webhook.js';

const headersPlace = (orgId: string, webhookId: string): SealPlace => ({
  purpose: 'webhook headers',
  orgId,
  id: webhookId,
});

/** The names stay readable, but not the values, which are often credentials of the receiver. */
export function sealHeaders(
  box: SecretBox,
  orgId: string,
  webhookId: string,
  headers: OwnHeaders,
): SealedHeaders {
  const headerNames = Object.keys(headers);
  if (headerNames.length === 0) return { headers: null, headerNames };
  return { headers: box.seal(JSON.stringify(headers), headersPlace(orgId, webhookId)), headerNames };
}

/** In lower case, so that one of our headers with the same name replaces it. */
export function openHeaders(
  box: SecretBox,
  orgId: string,
  webhookId: string,
  sealed: string | null,
): OwnHeaders {
  if (sealed === null) return {};
  const headers = JSON.parse(box.open(sealed, headersPlace(orgId, webhookId))) as OwnHeaders;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

export const sealedWebhookHeaders: SealedRows = {
  kind: 'webhook headers',
  hasOrganization: true,
  count: statement(`
    select ${sealBeginning('w.headers')} as sealed, count(*)::integer as count from webhooks w where w.headers is not null group by 1`),
  read: statement(`
    select webhook_id as id, array[headers] as sealed from webhooks
    where org_id = $1 and webhook_id > $2 order by webhook_id limit $3`),
  replace: statement(`
    update webhooks set headers = ${freshSeal(1, 'headers')}
    where org_id = $1 and webhook_id = $2 and array[headers] is not distinct from $3::text[] returning 1`),
  place: headersPlace,
};
