import { publishedRows } from '../platform/database/index.js';

export const dispatchRows = publishedRows(
  'select org_id, dispatch_id, order_id, number, status, customer_name, tracking_no, created_at from dispatches',
);

export const dispatchLineRows = publishedRows(
  'select org_id, dispatch_id, line_no, product_name from dispatch_lines',
);

/**
 * The number of a dispatch for people: the number of its order, and its position among the order's dispatches. The arguments
 * are table aliases.
 */
export const dispatchNo = (dispatch: string, order: string): string =>
  `${order}.order_no || coalesce('-' || ${dispatch}.number, '')`;
