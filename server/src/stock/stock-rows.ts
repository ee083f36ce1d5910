import { publishedRows } from '../platform/database/index.js';

export const batchRows = publishedRows(
  'select org_id, product_code, batch_no, manufacture_date, expiry_date, created_at from batches',
);

export const balanceRows = publishedRows(`
  select org_id, product_code, warehouse, batch_no, quantity, reserved, held, whole_holds
  from balances`);

export const serialRows = publishedRows(
  'select org_id, product_code, serial_no, batch_no, warehouse from serials',
);

export const holdRows = publishedRows(`
  select org_id, hold_id, product_code, batch_no, warehouse, extent, quantity, category, source, nc_id, created_at, released_at
  from holds`);

export const holdSerialRows = publishedRows(
  'select org_id, hold_id, product_code, serial_no from hold_serials',
);

export const movementRows = publishedRows(`
  select org_id, movement_id, position, kind, product_code, warehouse, batch_no, quantity, quantity_delta, document_type,
    document_id, document_no, document_line, counterparty_type, counterparty_code, unmatched, hold_id, occurred_at, recorded_at, actor
  from movements`);

export const movementSerialRows = publishedRows(
  'select org_id, product_code, serial_no, movement_id from movement_serials',
);

export const reservationRows = publishedRows(
  'select org_id, order_id, line_no, batch_no, dispatch_id, product_code, quantity from reservations',
);

export const batchCorrectionRows = publishedRows(`
  select org_id, correction_id, product_code, batch_no, expiry_date_before, corrected_at
  from batch_corrections`);

export const recallHoldRows = publishedRows('select org_id, recall_id, hold_id from recall_holds');
