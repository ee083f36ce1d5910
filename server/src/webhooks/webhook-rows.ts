import { publishedRows } from '../platform/database/index.js';

export const webhookRows = publishedRows(
  'select org_id, webhook_id, callback_url, description, deleted_at, created_at from webhooks',
);

export const webhookStateRows = publishedRows('select org_id, webhook_id, status from webhook_states');
