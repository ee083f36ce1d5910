import { publishedRows } from '../platform/database/index.js';

export const scanRows = publishedRows(`
  select org_id, scan_id, purpose, document_id, line_no, code, product_code, batch_no, serial_no, quantity, scanned_at, scanned_by
  from scans`);
