import { publishedRows } from '../platform/database/index.js';

export const dispatchRows = publishedRows(
  'select org_id, dispatch_id, order_id, status, customer_name, tracking_no, created_at from dispatches',
);

export const dispatchLineRows = publishedRows(
  'select org_id, dispatch_id, line_no, product_name from dispatch_lines',
);
