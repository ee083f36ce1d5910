import { publishedRows } from '../platform/database/index.js';

export const alertRows = publishedRows(`
  select org_id, alert_id, point_name, warehouse, metric, lower_limit, upper_limit, started_at, last_value, closed_at,
    acknowledged_at
  from environment_alerts`);
