import { statement, type Tx } from '../platform/database/index.js';
import { figuresOf, MONTHS, type StockFigures } from './stock-figures.rules.js';
import type { Tally } from './stock-tally.js';
import { figuresByExpiry } from './stock-tally.store.js';

// Dates that look the same in the figures share a row, so that years of them need not be transferred.
const tallies = statement(`
  select d.expiry_date::text as "expiryDate", sum(f.total)::bigint as total, sum(f.reserved)::bigint as reserved, sum(f.held)::bigint as held,
    sum(f.batches)::bigint as batches, sum(f.products)::bigint as products
  from ${figuresByExpiry('$1')} f
  cross join lateral (select case when f.expiry_date < $2::date then '-infinity'::date
    when f.expiry_date >= date_trunc('month', $2::date) + make_interval(months => ${MONTHS}) then 'infinity'::date
    else f.expiry_date end as expiry_date) d
  group by d.expiry_date`);

/** Figures of all stock of the organization, without reading the stock. */
export async function readStockOverview(tx: Tx): Promise<StockFigures> {
  return figuresOf(await tx.query<Tally>(tallies, [tx.orgId, tx.today]), tx.today);
}
