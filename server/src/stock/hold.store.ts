import { type Matches, pairChoice } from '../indexing/index.js';
import {
  bulkRows,
  Filter,
  type ListPage,
  listRows,
  onlyOf,
  organizationRow,
  statement,
  type Tx,
} from '../platform/database/index.js';
import { productName } from './product-name.js';
import type { Hold } from './stock.js';

const columns = `h.hold_id as "holdId", h.product_code as "productCode", h.batch_no as "batchNo", h.warehouse, h.extent, h.quantity,
  coalesce((select array_agg(s.serial_no order by s.serial_no) from hold_serials s
    where s.org_id = $1 and s.hold_id = h.hold_id), '{}') as serials,
  h.category, h.source, h.alert_id as "alertId", h.nc_id as "ncId", h.split_from as "splitFrom", h.reason, h.created_at as "createdAt", h.created_by as "createdBy", h.released_at as "releasedAt",
  h.released_by as "releasedBy", h.release_reason as "releaseReason", h.updated_at as "updatedAt"`;
const holdColumns = bulkRows({
  hold_id: 'text',
  product_code: 'text',
  batch_no: 'text',
  warehouse: 'text',
  extent: 'text',
  quantity: 'integer',
  source: 'text',
  reason: 'text',
  created_at: 'timestamptz',
  created_by: 'text',
  alert_id: 'text',
  category: 'text',
  nc_id: 'text',
  split_from: 'text',
  updated_at: 'timestamptz',
});
const insertHolds = statement(`
  insert into holds (org_id, ${holdColumns.names()})
  select g.org_id, ${holdColumns.names('h')} from ${organizationRow('g')}, ${holdColumns.from('h', 2)} returning 1`);
const wholeRows = bulkRows({ hold_id: 'text', batch_no: 'text' });
const insertWholeHolds = statement(`
  insert into holds (org_id, ${wholeRows.names()}, product_code, warehouse, extent, source, reason, created_at, created_by, alert_id, category,
    updated_at)
  select g.org_id, ${wholeRows.names('h')}, $2, $3, 'batch', $4, $5, $6, $7, $8, $9, $6
  from ${organizationRow('g')}, ${wholeRows.from('h', 10)} returning 1`);
const insertHoldSerials = statement(`
  insert into hold_serials (org_id, hold_id, product_code, serial_no)
  select g.org_id, $2, $3, s.serial_no from ${organizationRow('g')}, unnest($4::text[]) as s(serial_no) returning 1`);
const one = statement(`select ${columns} from holds h where h.org_id = $1 and h.hold_id = $2`);
const markReleased = statement(`
  update holds set released_at = $3, released_by = $4, release_reason = $5, updated_at = $6 where org_id = $1 and hold_id = $2`);
const quantityHolds = statement(`
  select hold_id as "holdId", quantity, nc_id as "ncId" from holds
  where org_id = $1 and product_code = $2 and batch_no = $3 and warehouse = $4 and extent = 'quantity'
    and released_at is null and quantity > 0
  order by created_at, hold_id`);
const setQuantity = statement(
  'update holds set quantity = $3, updated_at = $4 where org_id = $1 and hold_id = $2',
);
const namingSerials = statement(`
  select distinct h.hold_id as "holdId" from hold_serials s join holds h on h.org_id = $1 and h.hold_id = s.hold_id
  where s.org_id = $1 and s.product_code = $2 and s.serial_no = any($3) and h.released_at is null`);
const forgetSerials = statement(`
  delete from hold_serials s using holds h
  where s.org_id = $1 and s.product_code = $2 and s.serial_no = any($3)
    and h.org_id = $1 and h.hold_id = s.hold_id and h.released_at is null
  returning s.hold_id as "holdId"`);
const lessenHolds = statement(`
  update holds h set quantity = h.quantity - d.count, updated_at = $4
  from unnest($2::text[], $3::integer[]) as d(hold_id, count) where h.org_id = $1 and h.hold_id = d.hold_id
  returning h.hold_id as "holdId", h.quantity + d.count as before, h.quantity as after, h.nc_id as "ncId"`);

const named = statement(
  `select ${columns} from holds h where h.org_id = $1 and (h.hold_id = any($2) or h.nc_id = any($3)) order by h.hold_id`,
);
const lessen = statement(
  'update holds set quantity = quantity - $3, updated_at = $4 where org_id = $1 and hold_id = $2',
);
const removeSerials = statement(
  'delete from hold_serials where org_id = $1 and hold_id = $2 and serial_no = any($3)',
);
const link = statement('update holds set nc_id = $3, updated_at = $4 where org_id = $1 and hold_id = $2');

/** Holds by their ids, and those of entries of the register, including released ones. */
export async function readHoldsNamed(
  tx: Tx,
  { holdIds, ncIds }: { holdIds: readonly string[]; ncIds: readonly string[] },
): Promise<Hold[]> {
  return tx.query<Hold>(named, [tx.orgId, holdIds, ncIds]);
}

/** Removes units from a hold of a quantity or of serial numbers. */
export function lessenHold(tx: Tx, holdId: string, by: number): void {
  tx.send(lessen, [tx.orgId, holdId, by, tx.now]);
}

export function removeSerialsFromHold(tx: Tx, holdId: string, serials: readonly string[]): void {
  tx.send(removeSerials, [tx.orgId, holdId, serials]);
}

/** The goods of the hold belong to an entry of the register from now on. */
export function linkHold(tx: Tx, holdId: string, ncId: string): void {
  tx.send(link, [tx.orgId, holdId, ncId, tx.now]);
}

const setExtent = statement(
  'update holds set warehouse = $3, quantity = $4, updated_at = $5 where org_id = $1 and hold_id = $2',
);
// A hold of serialized units names the warehouse if all of them are in one.
const placeUnitHolds = statement(`
  update holds h set warehouse = p.warehouse, updated_at = $4
  from (select x.hold_id, case when count(distinct s.warehouse) = 1 then min(s.warehouse) end as warehouse
        from hold_serials x
        join serials s on s.org_id = $1 and s.product_code = x.product_code and s.serial_no = x.serial_no
        where x.org_id = $1 and x.hold_id in (select m.hold_id from hold_serials m
          where m.org_id = $1 and m.product_code = $2 and m.serial_no = any($3))
        group by x.hold_id) p
  where h.org_id = $1 and h.hold_id = p.hold_id and h.released_at is null and h.warehouse is distinct from p.warehouse`);
const holdsOfWarehouse = statement(`
  select hold_id as "holdId" from holds
  where org_id = $1 and product_code = $2 and batch_no = $3 and warehouse = $4 and extent = 'batch' and released_at is null
  order by hold_id`);

export type OwnOfHold = Pick<Hold, 'holdId' | 'batchNo'>;
export type HoldsAlike = Omit<Hold, keyof OwnOfHold>;

export function saveNewHolds(tx: Tx, holds: readonly Hold[]): void {
  tx.send(insertHolds, [
    tx.orgId,
    ...holdColumns.values(holds, (hold) => ({
      hold_id: hold.holdId,
      product_code: hold.productCode,
      batch_no: hold.batchNo,
      warehouse: hold.warehouse,
      extent: hold.extent,
      quantity: hold.quantity,
      source: hold.source,
      reason: hold.reason,
      created_at: hold.createdAt,
      created_by: hold.createdBy,
      alert_id: hold.alertId,
      category: hold.category,
      nc_id: hold.ncId,
      split_from: hold.splitFrom,
      updated_at: hold.updatedAt,
    })),
  ]);
  for (const { holdId, productCode, serials } of holds)
    if (serials.length > 0) tx.send(insertHoldSerials, [tx.orgId, holdId, productCode, serials]);
}

/** Holds of whole batches that begin now and differ in nothing but these; `like` is the rest of them. */
export function saveWholeHolds(tx: Tx, like: HoldsAlike, holds: readonly OwnOfHold[]): void {
  tx.send(insertWholeHolds, [
    tx.orgId,
    like.productCode,
    like.warehouse,
    like.source,
    like.reason,
    like.createdAt,
    like.createdBy,
    like.alertId,
    like.category,
    ...wholeRows.values(holds, ({ holdId, batchNo }) => ({ hold_id: holdId, batch_no: batchNo })),
  ]);
}

export async function findHold(tx: Tx, holdId: string): Promise<Hold | null> {
  const [row] = await tx.query<Hold>(one, [tx.orgId, holdId]);
  return row ?? null;
}

export async function markHoldReleased(tx: Tx, hold: Hold): Promise<void> {
  tx.send(markReleased, [
    tx.orgId,
    hold.holdId,
    hold.releasedAt,
    hold.releasedBy,
    hold.releaseReason,
    tx.now,
  ]);
}

export async function saveHoldExtent(
  tx: Tx,
  { holdId, warehouse, quantity }: Pick<Hold, 'holdId' | 'warehouse' | 'quantity'>,
): Promise<void> {
  tx.send(setExtent, [tx.orgId, holdId, warehouse, quantity, tx.now]);
}

/** Updates the warehouse in the active holds of moved serialized units. */
export async function placeHoldsOfSerials(
  tx: Tx,
  productCode: string,
  serials: readonly string[],
): Promise<void> {
  if (serials.length > 0) tx.send(placeUnitHolds, [tx.orgId, productCode, serials, tx.now]);
}

/** Active holds that name any of these units. */
export async function readHoldsOfSerials(
  tx: Tx,
  productCode: string,
  serials: readonly string[],
): Promise<string[]> {
  if (serials.length === 0) return [];
  const rows = await tx.query<{ holdId: string }>(namingSerials, [tx.orgId, productCode, serials]);
  return rows.map(({ holdId }) => holdId);
}

/** Active holds of the whole batch in this warehouse only. */
export async function readHoldsOfWarehouse(
  tx: Tx,
  place: { productCode: string; batchNo: string; warehouse: string },
): Promise<string[]> {
  const values = [tx.orgId, place.productCode, place.batchNo, place.warehouse];
  return (await tx.query<{ holdId: string }>(holdsOfWarehouse, values)).map(({ holdId }) => holdId);
}

/** A hold whose quantity decreased because units it covered left the stock. */
export interface ShrunkHold {
  holdId: string;
  before: number;
  after: number;
  ncId: string | null;
}

/** Reduces quantity holds when units under them leave the stock, the oldest hold first. */
export async function shrinkQuantityHolds(
  tx: Tx,
  productCode: string,
  batchNo: string,
  warehouse: string,
  by: number,
): Promise<ShrunkHold[]> {
  const shrunk: ShrunkHold[] = [];
  if (by === 0) return shrunk;
  let left = by;
  const holds = await tx.query<{ holdId: string; quantity: number; ncId: string | null }>(quantityHolds, [
    tx.orgId,
    productCode,
    batchNo,
    warehouse,
  ]);
  for (const hold of holds) {
    if (left === 0) break;
    const taken = Math.min(left, hold.quantity);
    tx.send(setQuantity, [tx.orgId, hold.holdId, hold.quantity - taken, tx.now]);
    const { holdId, quantity, ncId } = hold;
    shrunk.push({ holdId, before: quantity, after: quantity - taken, ncId });
    left -= taken;
  }
  if (left > 0) throw new Error('held quantity without a hold');
  return shrunk;
}

/** Removes serial numbers that left the stock from their holds. */
export async function dropSerialsFromHolds(
  tx: Tx,
  productCode: string,
  serials: readonly string[],
): Promise<ShrunkHold[]> {
  const rows = await tx.query<{ holdId: string }>(forgetSerials, [tx.orgId, productCode, serials]);
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row.holdId, (counts.get(row.holdId) ?? 0) + 1);
  if (counts.size === 0) return [];
  return tx.query<ShrunkHold>(lessenHolds, [tx.orgId, [...counts.keys()], [...counts.values()], tx.now]);
}

export interface HoldFilter {
  /** Limited to those found by text. */
  matches?: Matches<'product' | 'batch'> | undefined;
  productCode?: string | undefined;
  batchNo?: string | undefined;
  status?: readonly ('active' | 'released')[] | undefined;
  category?: readonly Hold['category'][] | undefined;
}

/** Newest first. */
export async function listHolds(tx: Tx, filter: HoldFilter, page: ListPage): Promise<Hold[]> {
  const list = new Filter('h.org_id = $1', [tx.orgId, page.limit]);
  const order = list.page(page, {
    ...{ id: 'h.hold_id', direction: 'desc', updatedAt: 'h.updated_at' },
    sorts: { createdAt: 'h.hold_id' },
  });
  list.either([
    { 'h.product_code': filter.matches?.product },
    pairChoice(filter.matches?.batch, 'h.product_code', 'h.batch_no'),
  ]);
  list.and('h.product_code = ?', filter.productCode);
  list.and('h.batch_no = ?', filter.batchNo);
  list.anyOf('h.category', filter.category);
  // A literal instead of a parameter, so that the planner can use the partial index of active holds.
  const state = { active: ' and h.released_at is null', released: ' and h.released_at is not null' };
  const status = onlyOf(filter.status);
  const only = status === undefined ? '' : state[status];
  return listRows<Hold>(tx, page, list, {
    rows: `select ${columns}, ${productName('h')} from holds h where ${list.where}${only} order by ${order} limit $2`,
    counted: `select from holds h where ${list.where}${only} limit $2`,
  });
}
