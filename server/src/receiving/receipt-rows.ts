import { publishedRows } from '../platform/database/index.js';

export const receiptRows = publishedRows('select org_id, receipt_id, partner_name from receipts');

export const receiptLineRows = publishedRows(
  'select org_id, receipt_id, line_no, product_name from receipt_lines',
);
