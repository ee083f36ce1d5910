import { publishedRows } from '../platform/database/index.js';

export const recallRows = publishedRows(`
  select org_id, recall_id, recall_no, product_code, extent, class, reason, opened_at, closed_at
  from recalls`);

export const recallBatchRows = publishedRows(
  'select org_id, recall_id, product_code, batch_no from recall_batches',
);

export const recallSerialRows = publishedRows(
  'select org_id, recall_id, product_code, serial_no from recall_serials',
);
