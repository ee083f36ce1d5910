import { productRows } from '../catalogue/index.js';
import {
  batchStatement,
  bulkRows,
  organizationRow,
  type Pool,
  queryBatch,
  statement,
  type Tx,
} from '../platform/database/index.js';
import { newRowNumbers } from '../platform/ids/index.js';
import { deltaColumns, markChanges } from './change-marks.js';
import type { StockRow } from './inventory.rules.js';
import type { Tally } from './stock-tally.js';
import { addToTallies } from './stock-tally.store.js';

/** A product in a warehouse whose figures changed, and how much that moves the figures of an expiry date. */
export interface ChangeMark extends Tally {
  markId: string;
  productCode: string;
  warehouse: string;
  markedAt: Date;
}

const feedState = statement(`
  select exists (select from stock_change_marks where org_id = $1) as "hasMarks",
    (select position from stock_change_heads where org_id = $1) as position,
    (select day from stock_change_heads where org_id = $1) as day`);
// A batch is usable through its expiry date, so a change of the day affects batches that expire from the first day until
// before the last.
const expiringMarks = `
  select distinct b.org_id, b.product_code, b.warehouse, ${deltaColumns({ expiryDate: 'null::date' })} from batches t
  join balances b on b.org_id = $1 and b.org_id = t.org_id and b.product_code = t.product_code and b.batch_no = t.batch_no
    and b.quantity > 0
  where t.org_id = $1 and t.expiry_date >= least($2::date, $3::date) and t.expiry_date < greatest($2::date, $3::date)`;
const markExpiring = statement(markChanges(expiringMarks, '$4', '$5'));
const startHead = statement(
  'insert into stock_change_heads (org_id, position, day) values ($1, 0, $2) on conflict (org_id) do nothing',
);
const lockHead = statement('select position from stock_change_heads where org_id = $1 for update');
const nextMarks = statement(`
  select mark_id::text as "markId", product_code as "productCode", warehouse, marked_at as "markedAt", expiry_date as "expiryDate",
    total_delta as total, reserved_delta as reserved, held_delta as held, batches_delta as batches, products_delta as products
  from stock_change_marks where org_id = $1 order by mark_id limit $2`);
const removeMarks = statement(
  'delete from stock_change_marks where org_id = $1 and mark_id = any($2::bigint[])',
);
const changeColumns = bulkRows({
  product_code: 'text',
  warehouse: 'text',
  position: 'bigint',
  changed_at: 'timestamptz',
});
const saveChanges = statement(`
  insert into stock_changes (org_id, ${changeColumns.names()})
  select g.org_id, ${changeColumns.names('c')} from ${organizationRow('g')}, ${changeColumns.from('c', 2)}
  on conflict (org_id, product_code, warehouse) do update set position = excluded.position,
    changed_at = greatest(stock_changes.changed_at, excluded.changed_at)
  returning 1`);
const moveHead = statement(
  'update stock_change_heads set position = $2, day = coalesce($3::date, day) where org_id = $1',
);
const organizationsMarked = statement(`
  select org_id as "orgId" from stock_change_marks group by org_id having count(*) >= $1`);
const changesAfter = statement(`
  select c.position, c.changed_at as "changedAt", p.product_code as "productCode", p.product_name as "productName",
    c.warehouse as place, b.warehouse, b.batch_no as "batchNo", t.expiry_date as "expiryDate", b.quantity, b.reserved, b.held,
    b.whole_holds as "wholeHolds"
  from (select product_code, warehouse, position, changed_at from stock_changes
    where org_id = $1 and position > $2 and position <= $3 and ($4::text[] is null or warehouse = any($4))
      and ($5::text[] is null or product_code = any($5)) order by position limit $6) c
  join ${productRows('$1')} p on p.product_code = c.product_code
  left join balances b on b.org_id = $1 and b.product_code = c.product_code and b.warehouse = c.warehouse and b.quantity > 0
  left join batches t on t.org_id = $1 and t.product_code = b.product_code and t.batch_no = b.batch_no
  order by c.position`);

export interface FeedState {
  hasMarks: boolean;
  /** The last position given; null: none yet. */
  position: number | null;
  /** The day up to which the feed contains expired batches. */
  day: string | null;
}

export async function readFeedState(tx: Tx): Promise<FeedState> {
  const [row] = await tx.query<FeedState>(feedState, [tx.orgId]);
  return row ?? { hasMarks: false, position: null, day: null };
}

/** Marks the stock that expired, or is usable again, because the organization's day is no longer `day`. */
export async function markExpired(tx: Tx, day: string): Promise<void> {
  await tx.query(markExpiring, [tx.orgId, day, tx.today, tx.now, newRowNumbers()]);
}

/** Locks the head, so that no one else assigns positions, and reads the next committed marks. */
export async function takeMarks(
  tx: Tx,
  limit: number,
): Promise<{ position: number; marks: ChangeMark[] } | null> {
  // Separate statements: the second sees everything numbered before the lock was free.
  const [[head], marks] = await Promise.all([
    tx.query<{ position: number }>(lockHead, [tx.orgId]),
    tx.query<ChangeMark>(nextMarks, [tx.orgId, limit]),
  ]);
  return head ? { position: head.position, marks } : null;
}

export function createHead(tx: Tx): void {
  tx.send(startHead, [tx.orgId, tx.today]);
}

export interface NumberedChange {
  productCode: string;
  warehouse: string;
  position: number;
  changedAt: Date;
}

/**
 * Replaces marks by the positions of their changes, and adds their amounts to the tallies. `day` null: expired batches are
 * handled elsewhere.
 */
export function saveNumbered(
  tx: Tx,
  marks: readonly ChangeMark[],
  changes: readonly NumberedChange[],
  head: { position: number; day: string | null },
): void {
  if (marks.length > 0) {
    tx.send(removeMarks, [tx.orgId, marks.map(({ markId }) => markId)]);
    addToTallies(tx, marks);
    tx.send(saveChanges, [
      tx.orgId,
      ...changeColumns.values(changes, (change) => ({
        product_code: change.productCode,
        warehouse: change.warehouse,
        position: change.position,
        changed_at: change.changedAt,
      })),
    ]);
  }
  tx.send(moveHead, [tx.orgId, head.position, head.day]);
}

/** Organizations with at least this many marks. */
export async function organizationsWithMarks(worker: Pool, count: number): Promise<string[]> {
  return (await worker.query<{ orgId: string }>(organizationsMarked, [count])).map(({ orgId }) => orgId);
}

const feedsOf = batchStatement(
  1,
  ({ org }) => `
  select w.org_id as "orgId",
    (select true from stock_change_marks m where m.org_id = ${org('w.org_id')} limit 1) is not null as "hasMarks",
    coalesce((select h.position from stock_change_heads h where h.org_id = ${org('w.org_id')}), 0) as position
  from unnest($1::text[]) as w(org_id)`,
);

/** The heads of the feeds of these organizations, and whether changes are waiting for their positions. */
export function readFeedHeads(
  worker: Pool,
  orgIds: readonly string[],
): Promise<{ orgId: string; hasMarks: boolean; position: number }[]> {
  const organizations = orgIds.map((orgId) => ({ orgId }));
  return queryBatch(worker, feedsOf, organizations, (own) => [own.map(({ orgId }) => orgId)]);
}

export interface StockChange {
  position: number;
  changedAt: Date;
  productCode: string;
  productName: string;
  warehouse: string;
  rows: StockRow[];
}

/** `warehouses`, `productCodes` null: all. */
export interface ChangeRange {
  after: number;
  warehouses: readonly string[] | null;
  productCodes: readonly string[] | null;
  limit: number;
}

/** Changes after a position, in order, with the current stock. */
export async function readChanges(tx: Tx, range: ChangeRange & { through: number }): Promise<StockChange[]> {
  type Row = Omit<StockChange, 'rows' | 'warehouse'> & { place: string } & (
      | StockRow
      | { [Column in keyof StockRow]: null }
    );
  const rows = await tx.query<Row>(changesAfter, [
    tx.orgId,
    range.after,
    range.through,
    range.warehouses,
    range.productCodes,
    range.limit,
  ]);
  const changes = new Map<number, StockChange>();
  for (const { position, changedAt, productCode, productName, place, ...row } of rows) {
    const known = changes.get(position) ?? {
      ...{ position, changedAt, productCode, productName, warehouse: place, rows: [] },
    };
    if (row.warehouse !== null) known.rows.push(row);
    changes.set(position, known);
  }
  return [...changes.values()];
}
