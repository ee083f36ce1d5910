import { statement, type Tx } from '../platform/database/index.js';

const note = statement('update webhooks set updated_at = $3 where org_id = $1 and webhook_id = any($2)');

/** A changed status is a change of the webhook, although the status is stored elsewhere. */
export function noteChange(tx: Tx, webhookIds: readonly string[]): void {
  tx.send(note, [tx.orgId, webhookIds, tx.now]);
}
