import { lockProductsInOrder } from '../catalogue/index.js';
import { noteSearchable, pairKey } from '../indexing/index.js';
import { bulkRows, organizationRow, statement, type Tx } from '../platform/database/index.js';
import { newRowNumbers } from '../platform/ids/index.js';
import { deltaColumns, heldQuantity, markChanges } from './change-marks.js';
import type { Balance, Batch, Serial, StockedProduct } from './stock.js';

const batchOf = statement(`
  select product_code as "productCode", batch_no as "batchNo", manufacture_date as "manufactureDate", expiry_date as "expiryDate"
  from batches where org_id = $1 and product_code = $2 and batch_no = $3`);
const batchColumns = bulkRows({
  product_code: 'text',
  batch_no: 'text',
  manufacture_date: 'date',
  expiry_date: 'date',
});
const insertBatches = statement(`
  insert into batches (org_id, created_at, ${batchColumns.names()})
  select g.org_id, $2, ${batchColumns.names('b')} from ${organizationRow('g')}, ${batchColumns.from('b', 3)}
  returning 1`);
const balancesOf = statement(`
  select warehouse, batch_no as "batchNo", quantity, reserved, held, whole_holds as "wholeHolds" from balances
  where org_id = $1 and product_code = $2 and batch_no = $3 order by warehouse`);
const wholeHolds = statement(`
  select count(*)::integer as count from holds
  where org_id = $1 and product_code = $2 and batch_no = $3 and (warehouse is null or warehouse = $4)
    and extent = 'batch' and released_at is null`);
const balanceColumns = bulkRows({
  warehouse: 'text',
  quantity: 'integer',
  reserved: 'integer',
  held: 'integer',
  whole_holds: 'integer',
});
const isOfBatch = (alias: string) =>
  `${alias}.org_id = $1 and ${alias}.product_code = $2 and ${alias}.batch_no = $3`;
// Statements see the balances from before them. A batch, and with it the product, is counted once: in its first warehouse.
const balanceMarks = `
  select n.org_id, $2::text as product_code, n.warehouse,
    ${deltaColumns({
      expiryDate: `(select t.expiry_date from batches t where ${isOfBatch('t')})`,
      total: 'n.quantity - coalesce(o.quantity, 0)',
      reserved: 'n.reserved - coalesce(o.reserved, 0)',
      held: `${heldQuantity('n')} - coalesce(${heldQuantity('o')}, 0)`,
      batches: 'case when n.place = 1 then s.batches else 0 end',
      products: `case when n.place = 1 and s.batches <> 0 and not exists (select from balances e
        where e.org_id = $1 and e.product_code = $2 and e.batch_no <> $3 and e.quantity > 0) then s.batches else 0 end`,
    })}
  from (select g.org_id, ${balanceColumns.names('b')}, b.place
    from ${organizationRow('g')}, ${balanceColumns.fromPlaced('b', 4)}) n
  left join balances o on ${isOfBatch('o')} and o.org_id = n.org_id and o.warehouse = n.warehouse
  join (select h.org_id, (0 < any($5::integer[])
      or exists (select from balances e where ${isOfBatch('e')} and e.quantity > 0 and e.warehouse <> all($4::text[])))::integer
    - exists (select from balances e where ${isOfBatch('e')} and e.quantity > 0)::integer as batches
    from ${organizationRow('h')}) s on s.org_id = n.org_id`;
const saveBalances = statement(`
  with marked as (${markChanges(balanceMarks, '$9', '$10')}),
  saved as (
  insert into balances (org_id, product_code, batch_no, ${balanceColumns.names()})
  select g.org_id, $2, $3, ${balanceColumns.names('b')} from ${organizationRow('g')}, ${balanceColumns.from('b', 4)}
  on conflict (org_id, product_code, warehouse, batch_no) do update set quantity = excluded.quantity,
    reserved = excluded.reserved, held = excluded.held, whole_holds = excluded.whole_holds
  returning 1)
  select count(*) from saved`);
const serialsOf = statement(`
  select serial_no as "serialNo", batch_no as "batchNo", warehouse, holds from serials
  where org_id = $1 and product_code = $2 and serial_no = any($3)`);
const placeSerials = statement(`
  insert into serials (org_id, product_code, serial_no, batch_no, warehouse)
  select g.org_id, $2, s.serial_no, $4, $5 from ${organizationRow('g')}, unnest($3::text[]) as s(serial_no)
  on conflict (org_id, product_code, serial_no) do update set warehouse = excluded.warehouse
  returning 1`);
const removeSerials = statement(`
  update serials set warehouse = null, holds = 0 where org_id = $1 and product_code = $2 and serial_no = any($3)`);
const countHolds = statement(`
  update serials set holds = holds + $4 where org_id = $1 and product_code = $2 and serial_no = any($3)`);

/** The product lock, which every change of stock takes first. */
export const lockStockedProducts: (tx: Tx, codes: readonly string[]) => Promise<Map<string, StockedProduct>> =
  lockProductsInOrder;

export async function findBatch(tx: Tx, productCode: string, batchNo: string): Promise<Batch | null> {
  const [row] = await tx.query<Batch>(batchOf, [tx.orgId, productCode, batchNo]);
  return row ?? null;
}

export function saveNewBatches(tx: Tx, batches: readonly Batch[]): void {
  if (batches.length === 0) return;
  tx.send(insertBatches, [
    tx.orgId,
    tx.now,
    ...batchColumns.values(batches, (batch) => ({
      product_code: batch.productCode,
      batch_no: batch.batchNo,
      manufacture_date: batch.manufactureDate,
      expiry_date: batch.expiryDate,
    })),
  ]);
  noteSearchable(
    tx,
    'batch',
    batches.map((batch) => pairKey(batch.productCode, batch.batchNo)),
  );
}

// Moves the figures from the old expiry date to the new one.
const correctionMarks = `
  select b.org_id, b.product_code, b.warehouse,
    ${deltaColumns({
      expiryDate: 'x.expiry_date',
      total: 'x.sign * b.quantity',
      reserved: 'x.sign * b.reserved',
      held: `x.sign * ${heldQuantity('b')}`,
      batches: `case when b.warehouse = (select min(e.warehouse) from balances e where ${isOfBatch('e')} and e.quantity > 0)
        then x.sign else 0 end`,
    })}
  from balances b
  join batches t on ${isOfBatch('t')} and t.org_id = b.org_id
  cross join lateral (values (t.expiry_date, -1), ($4::date, 1)) as x(expiry_date, sign)
  where ${isOfBatch('b')}`;
const setBatchDates = statement(`
  with marked as (${markChanges(correctionMarks, '$6', '$7')})
  update batches set expiry_date = $4, manufacture_date = $5 where org_id = $1 and product_code = $2 and batch_no = $3`);

export function saveBatchDates(tx: Tx, batch: Batch): void {
  const { productCode, batchNo, expiryDate, manufactureDate } = batch;
  tx.send(setBatchDates, [
    tx.orgId,
    productCode,
    batchNo,
    expiryDate,
    manufactureDate,
    tx.now,
    newRowNumbers(),
  ]);
}

/** Balances of a batch in all warehouses. The product is locked, so they stay unchanged. */
export async function readBalances(tx: Tx, productCode: string, batchNo: string): Promise<Balance[]> {
  return tx.query<Balance>(balancesOf, [tx.orgId, productCode, batchNo]);
}

/** The balance in one warehouse. A new one starts empty, with the holds that already cover the batch there. */
export async function readBalance(
  tx: Tx,
  productCode: string,
  batchNo: string,
  warehouse: string,
): Promise<Balance> {
  const known = (await readBalances(tx, productCode, batchNo)).find(
    (balance) => balance.warehouse === warehouse,
  );
  if (known) return known;
  const [row] = await tx.query<{ count: number }>(wholeHolds, [tx.orgId, productCode, batchNo, warehouse]);
  return { warehouse, batchNo, quantity: 0, reserved: 0, held: 0, wholeHolds: row?.count ?? 0 };
}

export function saveBatchBalances(
  tx: Tx,
  productCode: string,
  batchNo: string,
  balances: readonly Balance[],
): void {
  tx.send(saveBalances, [
    tx.orgId,
    productCode,
    batchNo,
    ...balanceColumns.values(balances, (b) => ({
      warehouse: b.warehouse,
      quantity: b.quantity,
      reserved: b.reserved,
      held: b.held,
      whole_holds: b.wholeHolds,
    })),
    tx.now,
    newRowNumbers(),
  ]);
}

const isCovered = (alias: string) =>
  `${alias}.org_id = $1 and ${alias}.product_code = $2 and ${alias}.batch_no = any($3) and ($4::text is null or ${alias}.warehouse = $4)`;
// One mark for all batches that expire on the same day: a recall may hold thousands.
const wholeHoldMarks = `
  select b.org_id, b.product_code, b.warehouse,
    ${deltaColumns({
      expiryDate: 't.expiry_date',
      reserved: '-sum(b.reserved)',
      held: `sum(b.quantity - ${heldQuantity('b')})`,
    })}
  from balances b
  join batches t on t.org_id = $1 and t.product_code = b.product_code and t.batch_no = b.batch_no
  where ${isCovered('b')}
  group by b.org_id, b.product_code, b.warehouse, t.expiry_date`;
const covered = statement(`
  select b.warehouse, b.batch_no as "batchNo", b.quantity from balances b where ${isCovered('b')} order by b.warehouse, b.batch_no`);
const markWholeHolds = statement(markChanges(wholeHoldMarks, '$5', '$6'));
const balanceKeys = bulkRows({ warehouse: 'text', batch_no: 'text' });
const holdWhole = statement(`
  update balances b set whole_holds = b.whole_holds + 1, reserved = 0 from ${balanceKeys.from('k', 3)}
  where b.org_id = $1 and b.product_code = $2 and b.warehouse = k.warehouse and b.batch_no = k.batch_no`);

export type CoveredBalance = Pick<Balance, 'warehouse' | 'batchNo' | 'quantity'>;

/**
 * Returns the balances that holds of whole batches, everywhere or in one warehouse, are about to cover, by warehouse and batch, and marks
 * their figures as changed. The product is locked.
 */
export async function coverWholeBatches(
  tx: Tx,
  productCode: string,
  batchNos: readonly string[],
  warehouse: string | null,
): Promise<CoveredBalance[]> {
  const values = [tx.orgId, productCode, batchNos, warehouse];
  tx.send(markWholeHolds, [...values, tx.now, newRowNumbers()]);
  return tx.query<CoveredBalance>(covered, values);
}

/** One more hold of the whole batch for each of these balances. Their reservations are dropped already. */
export async function holdWholeBalances(
  tx: Tx,
  productCode: string,
  balances: readonly CoveredBalance[],
): Promise<void> {
  if (balances.length === 0) return;
  const keys = balanceKeys.values(balances, ({ warehouse, batchNo }) => ({ warehouse, batch_no: batchNo }));
  await tx.query(holdWhole, [tx.orgId, productCode, ...keys]);
}

export async function readSerials(
  tx: Tx,
  productCode: string,
  serials: readonly string[],
): Promise<Map<string, Serial>> {
  if (serials.length === 0) return new Map();
  const rows = await tx.query<Serial>(serialsOf, [tx.orgId, productCode, serials]);
  return new Map(rows.map((row) => [row.serialNo, row]));
}

export function putSerialsInStock(
  tx: Tx,
  productCode: string,
  serials: readonly string[],
  batchNo: string,
  warehouse: string,
): void {
  if (serials.length > 0) tx.send(placeSerials, [tx.orgId, productCode, serials, batchNo, warehouse]);
}

export function takeSerialsOut(tx: Tx, productCode: string, serials: readonly string[]): void {
  if (serials.length > 0) tx.send(removeSerials, [tx.orgId, productCode, serials]);
}

export function changeSerialHolds(tx: Tx, productCode: string, serials: readonly string[], by: 1 | -1): void {
  if (serials.length > 0) tx.send(countHolds, [tx.orgId, productCode, serials, by]);
}

const unitsOfBatch = statement(`
  select serial_no as "serialNo", warehouse from serials
  where org_id = $1 and product_code = $2 and batch_no = $3 and warehouse is not null order by serial_no`);

/** All units of a batch that are in stock, sorted. */
export async function readSerialsOfBatch(
  tx: Tx,
  productCode: string,
  batchNo: string,
): Promise<{ serialNo: string; warehouse: string }[]> {
  return tx.query(unitsOfBatch, [tx.orgId, productCode, batchNo]);
}

const datesOf = statement(`
  select b.product_code as "productCode", b.batch_no as "batchNo", b.manufacture_date as "manufactureDate", b.expiry_date as "expiryDate"
  from unnest($2::text[], $3::text[]) as n(product_code, batch_no)
  join batches b on b.org_id = $1 and b.product_code = n.product_code and b.batch_no = n.batch_no`);

export const batchKey = ({ productCode, batchNo }: { productCode: string; batchNo: string }): string =>
  `${productCode}\n${batchNo}`;

/** The dates of known batches, by `batchKey`. */
export async function readBatchDates(
  tx: Tx,
  named: readonly { productCode: string; batchNo: string }[],
): Promise<Map<string, Batch>> {
  const rows = await tx.query<Batch>(datesOf, [
    tx.orgId,
    named.map((each) => each.productCode),
    named.map((each) => each.batchNo),
  ]);
  return new Map(rows.map((row) => [batchKey(row), row]));
}

const onShelf = statement(`
  select serial_no as "serialNo" from serials
  where org_id = $1 and product_code = $2 and batch_no = $3 and warehouse = $4 and holds = 0
  order by serial_no limit $5`);

/** Serial numbers of a batch that are in a warehouse and not on hold, up to a limit. */
export async function readSerialsInStock(
  tx: Tx,
  productCode: string,
  batchNo: string,
  warehouse: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ serialNo: string }>(onShelf, [
    tx.orgId,
    productCode,
    batchNo,
    warehouse,
    limit,
  ]);
  return rows.map((row) => row.serialNo);
}
