import { publishedRows } from '../platform/database/index.js';

export const orderRows = publishedRows(
  'select org_id, order_id, order_no, customer_code, customer_name, warehouse, status, currency, created_at from orders',
);

export const orderLineRows = publishedRows(
  'select org_id, order_id, line_no, product_code, unit_price from order_lines',
);
