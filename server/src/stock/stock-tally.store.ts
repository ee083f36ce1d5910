import { bulkRows, organizationRow, statement, type Tx } from '../platform/database/index.js';
import type { Tally } from './stock-tally.js';

/**
 * The figures of an organization by expiry date, for SQL: the tallies plus the marks not added to them yet. Reading both in
 * one statement is exact, because a mark is removed in the transaction that adds it.
 */
export const figuresByExpiry = (org: string): string => `(
  select f.expiry_date, sum(f.total) as total, sum(f.reserved) as reserved, sum(f.held) as held, sum(f.batches) as batches,
    sum(f.products) as products
  from (
    select expiry_date, total, reserved, held, batches, products from stock_tallies where org_id = ${org}
    union all
    select expiry_date, total_delta, reserved_delta, held_delta, batches_delta, products_delta from stock_change_marks
    where org_id = ${org}) f
  group by f.expiry_date)`;

const FIGURES = ['total', 'reserved', 'held', 'batches', 'products'] as const;

const tallyColumns = bulkRows({
  expiry_date: 'date',
  total: 'bigint',
  reserved: 'bigint',
  held: 'bigint',
  batches: 'bigint',
  products: 'bigint',
});
const add = statement(`
  insert into stock_tallies (org_id, ${tallyColumns.names()})
  select g.org_id, ${tallyColumns.names('c')} from ${organizationRow('g')}, ${tallyColumns.from('c', 2)}
  on conflict (org_id, expiry_date) do update set ${FIGURES.map((name) => `${name} = stock_tallies.${name} + excluded.${name}`).join(', ')}
  returning 1`);

/** Adds changes to the tallies. The head of the feed is locked, so there is no concurrent writer. */
export function addToTallies(tx: Tx, changes: readonly Tally[]): void {
  const sums = new Map<string, Tally>();
  for (const change of changes) {
    const sum = sums.get(change.expiryDate) ?? {
      ...change,
      total: 0,
      reserved: 0,
      held: 0,
      batches: 0,
      products: 0,
    };
    for (const name of FIGURES) sum[name] += change[name];
    sums.set(change.expiryDate, sum);
  }
  const moved = [...sums.values()].filter((sum) => FIGURES.some((name) => sum[name] !== 0));
  if (moved.length > 0)
    tx.send(add, [
      tx.orgId,
      ...tallyColumns.values(moved, ({ expiryDate, total, reserved, held, batches, products }) => ({
        ...{ expiry_date: expiryDate, total, reserved, held, batches, products },
      })),
    ]);
}
