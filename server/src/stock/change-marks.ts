/** Stands for the expiry date of batches that never expire. */
const NEVER = 'infinity';

/** The part of a balance that is blocked even before it expires, for SQL. */
export const heldQuantity = (balance: string): string =>
  `(case when ${balance}.whole_holds > 0 then ${balance}.quantity else ${balance}.held end)`;

const DELTA_COLUMNS = 'expiry_date, total_delta, reserved_delta, held_delta, batches_delta, products_delta';

/** How much a change moves the figures of an expiry date, in SQL. An omitted figure does not change. */
interface Deltas {
  expiryDate: string;
  total?: string;
  reserved?: string;
  held?: string;
  batches?: string;
  products?: string;
}

/** The columns of a mark's figures, for the rows that `markChanges` takes. */
export const deltaColumns = ({
  expiryDate,
  total = '0',
  reserved = '0',
  held = '0',
  batches = '0',
  products = '0',
}: Deltas): string =>
  `coalesce(${expiryDate}, '${NEVER}'::date) as expiry_date, (${total})::integer as total_delta,
    (${reserved})::integer as reserved_delta, (${held})::integer as held_delta, (${batches})::integer as batches_delta,
    (${products})::integer as products_delta`;

/**
 * SQL that appends marks for the feed of changes: `rows` selects the products and warehouses, as `product_code` and
 * `warehouse` of the organization `org_id`, with their `deltaColumns`; `at` and `numbers` are the parameters with the
 * instant and with `newRowNumbers()`. It is part of the statement that changes the balances, so a change costs no further
 * round trip.
 */
export const markChanges = (rows: string, at: string, numbers: string): string => `
  insert into stock_change_marks (org_id, mark_id, product_code, warehouse, marked_at, ${DELTA_COLUMNS})
  select m.org_id, ${numbers}::bigint + row_number() over (), m.product_code, m.warehouse, ${at}::timestamptz, ${DELTA_COLUMNS}
  from (${rows}) m
  returning 1`;
