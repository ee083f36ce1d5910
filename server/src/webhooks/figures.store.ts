import { type Pool, statement } from '../platform/database/index.js';

/** The metrics of one webhook, over all workers. */
export interface WebhookFigures {
  orgId: string;
  webhookId: string;
  status: string;
  delivered: number;
  failed: number;
  durationMs: number;
  /** Positions between its watermark and the head of the feed. */
  behind: number;
  /** Pushes that wait for another attempt. */
  retrying: number;
  oldestWaitingAt: Date | null;
}

const figures = statement(`
  select s.org_id as "orgId", s.webhook_id as "webhookId", s.status, s.delivered_total as delivered, s.failed_total as failed,
    s.duration_ms_total as "durationMs", greatest(coalesce(h.position, 0) - s.settled_to, 0) as behind,
    (select count(*) from webhook_deliveries d where d.org_id = s.org_id and d.webhook_id = s.webhook_id and d.due_at is not null)
      as retrying,
    (select e.at from events e where e.org_id = s.org_id and e.position > s.settled_to order by e.position limit 1)
      as "oldestWaitingAt"
  from webhook_states s left join event_heads h on h.org_id = s.org_id`);

export function readFigures(pool: Pool): Promise<WebhookFigures[]> {
  return pool.query<WebhookFigures>(figures, []);
}
