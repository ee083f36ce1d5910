import { addDays } from '../platform/calendar/index.js';
import { bulkRows, organizationRow, type Statement, statement, type Tx } from '../platform/database/index.js';
import { newRowNumbers } from '../platform/ids/index.js';
import { availableQuantity, unreservedQuantity } from './available.js';
import { deltaColumns, markChanges } from './change-marks.js';
import type { Allocation, FreeBatch } from './reservation.rules.js';
import { type OrderLineKey, readRequiredShelfLife } from './stock-hooks.js';

/** A stored reservation: for an order line and, once one is open, for a dispatch. */
export interface Reservation extends Allocation {
  dispatchId: string;
  expiryDate: string | null;
  reservedAt: Date;
}

export const UNASSIGNED = '';

/** SQL arrays that select products and warehouses pairwise, and the parameter with the business day. */
interface PlaceSource {
  productCodes: string;
  warehouses: string;
  today: string;
}

const freeStockOf = ({ productCodes, warehouses, today }: PlaceSource) =>
  statement(`
  select b.product_code as "productCode", b.warehouse, b.batch_no as "batchNo", t.expiry_date as "expiryDate",
    ${unreservedQuantity('b')} as free, coalesce(t.expiry_date < ${today}, false) as expired
  from unnest(${productCodes}, ${warehouses}) as q(product_code, warehouse)
  join balances b on b.org_id = $1 and b.product_code = q.product_code and b.warehouse = q.warehouse
  join batches t on t.org_id = $1 and t.product_code = b.product_code and t.batch_no = b.batch_no
  where case when t.expiry_date < ${today} then b.reserved > 0
    else ${availableQuantity({ balance: 'b', batch: 't', today })} > 0 end`);
const freeStock = freeStockOf({ productCodes: '$2::text[]', warehouses: '$3::text[]', today: '$4' });
const reservationColumns = bulkRows({
  order_id: 'text',
  line_no: 'integer',
  batch_no: 'text',
  dispatch_id: 'text',
  product_code: 'text',
  warehouse: 'text',
  quantity: 'integer',
  reserved_at: 'timestamptz',
});
/** Marks for quantities of batches that become reserved or (`sign` -1) are released. */
const reservedMarks = (rows: string, sign: 1 | -1): string => `
  select g.org_id, r.product_code, r.warehouse,
    ${deltaColumns({ expiryDate: 't.expiry_date', reserved: `${sign} * sum(r.quantity)` })}
  from ${organizationRow('g')} cross join ${rows}
  join batches t on t.org_id = $1 and t.org_id = g.org_id and t.product_code = r.product_code and t.batch_no = r.batch_no
  group by g.org_id, r.product_code, r.warehouse, t.expiry_date`;
const addReservations = statement(`
  with marked as (${markChanges(reservedMarks(reservationColumns.from('r', 2), 1), '$10', '$11')}),
  counted as (
    update balances b set reserved = b.reserved + c.quantity
    from (select product_code, warehouse, batch_no, sum(quantity)::integer as quantity
          from ${reservationColumns.from('u', 2)}
          group by product_code, warehouse, batch_no) c
    where b.org_id = $1 and b.product_code = c.product_code and b.warehouse = c.warehouse and b.batch_no = c.batch_no
    returning 1),
  kept as (
    insert into reservations (org_id, ${reservationColumns.names()})
    select g.org_id, ${reservationColumns.names('r')} from ${organizationRow('g')}, ${reservationColumns.from('r', 2)}
    on conflict (org_id, order_id, line_no, batch_no, dispatch_id)
      do update set quantity = reservations.quantity + excluded.quantity,
        reserved_at = least(reservations.reserved_at, excluded.reserved_at)
    returning 1)
  select count(*) from kept`);
const uncountedColumns = bulkRows({
  product_code: 'text',
  warehouse: 'text',
  batch_no: 'text',
  quantity: 'integer',
});
const uncountReserved = statement(`
  with marked as (${markChanges(reservedMarks(uncountedColumns.from('r', 2), -1), '$6', '$7')})
  update balances b set reserved = b.reserved - c.quantity
  from (select product_code, warehouse, batch_no, sum(quantity)::integer as quantity
        from ${uncountedColumns.from('u', 2)}
        group by product_code, warehouse, batch_no) c
  where b.org_id = $1 and b.product_code = c.product_code and b.warehouse = c.warehouse and b.batch_no = c.batch_no`);

export interface ReservableStock {
  batches: FreeBatch[];
  withExpiredPromises: string[];
}

/**
 * Stock of these products that can be reserved in these warehouses today, and the products with reservations of expired
 * stock. The products are locked.
 */
export async function readFreeStock(
  tx: Tx,
  places: readonly { productCode: string; warehouse: string }[],
): Promise<ReservableStock> {
  const of = (key: 'productCode' | 'warehouse') => places.map((place) => place[key]);
  return readStock(tx, freeStock, [of('productCode'), of('warehouse')]);
}

/** Reads the same for places that SQL selects, each once. `$1` is the organization; the business day follows the values. */
export function reservableStockReader(
  places: PlaceSource,
): (tx: Tx, values: readonly unknown[]) => Promise<ReservableStock> {
  const freeStockThere = freeStockOf(places);
  return (tx, values) => readStock(tx, freeStockThere, values);
}

async function readStock(tx: Tx, sql: Statement, values: readonly unknown[]): Promise<ReservableStock> {
  const rows = await tx.query<FreeBatch & { expired: boolean }>(sql, [tx.orgId, ...values, tx.today]);
  return {
    batches: rows.filter((row) => !row.expired),
    withExpiredPromises: rows.filter((row) => row.expired).map((row) => row.productCode),
  };
}

function lessenReserved(tx: Tx, changes: readonly Allocation[]): void {
  if (changes.length === 0) return;
  tx.send(uncountReserved, [
    tx.orgId,
    ...uncountedColumns.values(changes, (c) => ({
      product_code: c.productCode,
      warehouse: c.warehouse,
      batch_no: c.batchNo,
      quantity: c.quantity,
    })),
    tx.now,
    newRowNumbers(),
  ]);
}

/** Writes reservations and adds them to the balances, whose check constraint refuses to reserve stock twice. */
export async function saveReservations(
  tx: Tx,
  allocations: readonly Allocation[],
  dispatchId: string,
): Promise<void> {
  if (allocations.length === 0) return;
  tx.send(addReservations, [
    tx.orgId,
    ...reservationColumns.values(allocations, (a) => ({
      order_id: a.orderId,
      line_no: a.lineNo,
      batch_no: a.batchNo,
      dispatch_id: dispatchId,
      product_code: a.productCode,
      warehouse: a.warehouse,
      quantity: a.quantity,
      reserved_at: a.reservedAt ?? tx.now,
    })),
    tx.now,
    newRowNumbers(),
  ]);
}

const columns = `r.order_id as "orderId", r.line_no as "lineNo", r.batch_no as "batchNo", r.dispatch_id as "dispatchId",
  r.product_code as "productCode", r.warehouse, r.quantity, r.reserved_at as "reservedAt"`;
const ofOrder = statement(`
  select ${columns}, t.expiry_date as "expiryDate" from reservations r
  join batches t on t.org_id = $1 and t.product_code = r.product_code and t.batch_no = r.batch_no
  where r.org_id = $1 and r.order_id = $2 order by r.line_no, t.expiry_date nulls last, r.batch_no`);
const removeOfOrder = statement(`
  delete from reservations r where r.org_id = $1 and r.order_id = $2 and r.dispatch_id = any($3) returning ${columns}`);
// Read from the few balances, because a product can have many thousands of reservations.
const removeExpired = statement(`
  with expired as materialized (
    select b.product_code, b.warehouse, b.batch_no from balances b
    join batches t on t.org_id = $1 and t.product_code = b.product_code and t.batch_no = b.batch_no
    where b.org_id = $1 and b.product_code = any($2) and b.reserved > 0 and t.expiry_date < $3)
  delete from reservations r using expired e
  where r.org_id = $1 and r.product_code = e.product_code and r.warehouse = e.warehouse and r.batch_no = e.batch_no
  returning ${columns}`);
const ofBatch = statement(`
  select ${columns} from reservations r
  where r.org_id = $1 and r.product_code = $2 and r.warehouse = $3 and r.batch_no = $4
  order by r.reserved_at desc, r.order_id desc, r.line_no desc, r.dispatch_id desc`);
const setQuantity = statement(`
  update reservations set quantity = $6
  where org_id = $1 and order_id = $2 and line_no = $3 and batch_no = $4 and dispatch_id = $5`);
const removeOne = statement(`
  delete from reservations where org_id = $1 and order_id = $2 and line_no = $3 and batch_no = $4 and dispatch_id = $5`);

export async function readReservations(tx: Tx, orderId: string): Promise<Reservation[]> {
  return tx.query<Reservation>(ofOrder, [tx.orgId, orderId]);
}

/** Removes an order's reservations for the given dispatches; the empty id selects those without a dispatch. */
export async function removeReservations(
  tx: Tx,
  orderId: string,
  dispatchIds: readonly string[],
): Promise<Allocation[]> {
  const removed = await tx.query<Allocation>(removeOfOrder, [tx.orgId, orderId, dispatchIds]);
  lessenReserved(tx, removed);
  return removed;
}

/** Removes the reservations of a dispatch that the caller has read after their products were locked. */
export function removeKnownReservations(
  tx: Tx,
  orderId: string,
  dispatchId: string,
  known: readonly Allocation[],
): void {
  tx.send(removeOfOrder, [tx.orgId, orderId, [dispatchId]]);
  lessenReserved(tx, known);
}

/** Drops reservations of expired stock: it is blocked, and blocked stock is never reserved. */
export async function dropExpiredReservations(
  tx: Tx,
  productCodes: readonly string[],
): Promise<Allocation[]> {
  const removed = await tx.query<Allocation>(removeExpired, [tx.orgId, productCodes, tx.today]);
  lessenReserved(tx, removed);
  return removed;
}

const linesOfBatch = statement(`
  select distinct r.order_id as "orderId", r.line_no as "lineNo" from reservations r
  where r.org_id = $1 and r.product_code = $2 and r.batch_no = $3`);
const removeOfLines = statement(`
  delete from reservations r using unnest($4::text[], $5::integer[]) as l(order_id, line_no)
  where r.org_id = $1 and r.product_code = $2 and r.batch_no = $3 and r.order_id = l.order_id and r.line_no = l.line_no
  returning ${columns}`);

/** Drops reservations of a batch whose corrected expiry leaves less shelf life than their order lines require. */
export async function dropTooShortReservations(
  tx: Tx,
  batch: { productCode: string; batchNo: string; expiryDate: string | null },
  expiryBefore: string | null,
): Promise<Allocation[]> {
  const { productCode, batchNo, expiryDate } = batch;
  if (expiryDate === null) return [];
  const key = [tx.orgId, productCode, batchNo];
  const required = await readRequiredShelfLife(tx, await tx.query<OrderLineKey>(linesOfBatch, key));
  const isTooShort = (expiry: string, days: number) => expiry < addDays(tx.today, days);
  // Lines that already fell short with the previous expiry date keep their reservations: only time made them too short.
  const short = required.filter(
    ({ days }) => isTooShort(expiryDate, days) && (expiryBefore === null || !isTooShort(expiryBefore, days)),
  );
  if (short.length === 0) return [];
  const removed = await tx.query<Allocation>(removeOfLines, [
    ...key,
    short.map((line) => line.orderId),
    short.map((line) => line.lineNo),
  ]);
  lessenReserved(tx, removed);
  return removed;
}

/** Drops reservations of `quantity` units of a batch, the newest first. */
export async function dropReservations(
  tx: Tx,
  place: { productCode: string; warehouse: string; batchNo: string },
  quantity: number,
): Promise<void> {
  let left = quantity;
  const { productCode, warehouse, batchNo } = place;
  const reservations = await tx.query<Reservation>(ofBatch, [tx.orgId, productCode, warehouse, batchNo]);
  for (const reservation of reservations) {
    if (left === 0) break;
    const dropped = Math.min(left, reservation.quantity);
    await takeFromReservation(tx, reservation, dropped);
    left -= dropped;
  }
  if (left > 0) throw new Error('reserved quantity without a reservation');
}

const removeOfBatches = statement(`
  delete from reservations
  where org_id = $1 and product_code = $2 and batch_no = any($3) and ($4::text is null or warehouse = $4)`);

/** Drops all reservations of batches, everywhere or in one warehouse, without changing the balances. */
export function dropReservationsOfBatches(
  tx: Tx,
  productCode: string,
  batchNos: readonly string[],
  warehouse: string | null,
): void {
  tx.send(removeOfBatches, [tx.orgId, productCode, batchNos, warehouse]);
}

/** Reduces one reservation without changing the balance. */
async function takeFromReservation(tx: Tx, reservation: Reservation, quantity: number): Promise<void> {
  const { orderId, lineNo, batchNo, dispatchId } = reservation;
  const key = [tx.orgId, orderId, lineNo, batchNo, dispatchId];
  if (quantity === reservation.quantity) tx.send(removeOne, key);
  else tx.send(setQuantity, [...key, reservation.quantity - quantity]);
}
