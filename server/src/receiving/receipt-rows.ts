import { publishedRows } from '../platform/database/index.js';

export const receiptRows = publishedRows(`
  select org_id, receipt_id, receipt_no, supplier_code, customer_code, partner_name, purchase_order_no, status, created_at
  from receipts`);

export const receiptLineRows = publishedRows(
  'select org_id, receipt_id, line_no, product_name from receipt_lines',
);
