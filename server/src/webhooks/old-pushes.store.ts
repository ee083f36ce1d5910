import { type Pool, statement, type Tx } from '../platform/database/index.js';

const withRemovedEvents = statement(`
  select w.org_id as "orgId", w.webhook_id as "webhookId", h.removed_to as "removedTo"
  from webhooks w join event_heads h on h.org_id = w.org_id where h.removed_to > 0`);

export function webhooksWithOldPushes(
  pool: Pool,
): Promise<{ orgId: string; webhookId: string; removedTo: number }[]> {
  return pool.query(withRemovedEvents, []);
}

const removeOldAttempts = statement(`
  delete from webhook_attempts where org_id = $1 and webhook_id = $2 and position = any(array(
    select position from webhook_attempts where org_id = $1 and webhook_id = $2 and position <= $3
    order by position limit $4))
  returning 1`);
const removeOldDeliveries = statement(`
  delete from webhook_deliveries where org_id = $1 and webhook_id = $2 and position = any(array(
    select position from webhook_deliveries where org_id = $1 and webhook_id = $2 and position <= $3
    order by position limit $4))
  returning 1`);

export async function removeAttempts(
  tx: Tx,
  webhookId: string,
  upTo: number,
  limit: number,
): Promise<number> {
  return (await tx.query(removeOldAttempts, [tx.orgId, webhookId, upTo, limit])).length;
}

export async function removeDeliveries(
  tx: Tx,
  webhookId: string,
  upTo: number,
  limit: number,
): Promise<number> {
  return (await tx.query(removeOldDeliveries, [tx.orgId, webhookId, upTo, limit])).length;
}

const removeSubscriptions = statement(`
  delete from webhook_subscriptions u using webhooks w
  where u.org_id = $1 and u.webhook_id = $2 and w.org_id = $1 and w.webhook_id = $2 and w.deleted_at is not null
    and not exists (select 1 from webhook_attempts a where a.org_id = $1 and a.webhook_id = $2)
    and not exists (select 1 from webhook_deliveries d where d.org_id = $1 and d.webhook_id = $2)`);
const removeWebhook = statement(`
  delete from webhooks w where w.org_id = $1 and w.webhook_id = $2 and w.deleted_at is not null
    and not exists (select 1 from webhook_subscriptions u where u.org_id = $1 and u.webhook_id = $2)`);

/** Removes a deleted webhook after its last push is removed. */
export async function removeDeleted(tx: Tx, webhookId: string): Promise<void> {
  tx.send(removeSubscriptions, [tx.orgId, webhookId]);
  tx.send(removeWebhook, [tx.orgId, webhookId]);
}
