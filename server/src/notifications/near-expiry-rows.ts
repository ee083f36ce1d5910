import { publishedRows } from '../platform/database/index.js';

export const nearExpiryNoticeRows = publishedRows(
  'select org_id, product_code, batch_no, left_on from near_expiry_notices',
);
