/**
 * SQL that appends marks for the feed of changes: `rows` is what selects the products and warehouses, as `product_code` and
 * `warehouse` of the organization `org_id`, and `at` the parameter with the instant. It goes into the statement that changes
 * the balances, so a change costs no further round trip.
 */
export const markChanges = (rows: string, at: string): string => `
  insert into stock_change_marks (org_id, product_code, warehouse, marked_at)
  select distinct m.org_id, m.product_code, m.warehouse, ${at}::timestamptz from (${rows}) m
  returning 1`;
