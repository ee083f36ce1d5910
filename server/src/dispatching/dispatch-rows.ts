import { publishedRows } from '../platform/database/index.js';

export const dispatchRows = publishedRows(
  'select org_id, dispatch_id, order_id, number, status, customer_name, tracking_no, created_at from dispatches',
);

export const dispatchLineRows = publishedRows(
  'select org_id, dispatch_id, line_no, product_name from dispatch_lines',
);

/** The number of a dispatch for people: that of its order, and which of its dispatches it is. The aliases are of both. */
export const dispatchNo = (dispatch: string, order: string): string =>
  `${order}.order_no || coalesce('-' || ${dispatch}.number, '')`;
