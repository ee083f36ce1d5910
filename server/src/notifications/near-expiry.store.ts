import { lockProductsInOrder, productRows } from '../catalogue/index.js';
import { statement, type Tx } from '../platform/database/index.js';
import { balanceRows, batchRows } from '../stock/index.js';

export interface NearBatch {
  productCode: string;
  batchNo: string;
}

export interface NearStock extends NearBatch {
  productName: string;
  expiryDate: string;
  daysRemaining: number;
  byWarehouse: { warehouse: string; quantity: number }[];
}

// In the range, in stock, and not yet notified about since entering the range.
const near = (which: string) => `
  select b.product_code as "productCode", b.batch_no as "batchNo"
  from ${batchRows('$1')} b join ${productRows('$1')} p on p.product_code = b.product_code
  where b.expiry_date <= $2::date + p.near_expiry_days and ${which}
    and exists (select from ${balanceRows('$1')} s
      where s.product_code = b.product_code and s.batch_no = b.batch_no and s.quantity > 0)
    and not exists (select from near_expiry_notices n
      where n.org_id = $1 and n.product_code = b.product_code and n.batch_no = b.batch_no
        and (n.left_on is null or n.entered_on = $2::date))`;
const nearOfProducts = statement(`${near('b.product_code = any($3) and b.expiry_date >= $2::date')}
  order by b.product_code, b.batch_no`);
const nearSince = statement(`
  ${near(`b.expiry_date >= $3::date
    and b.expiry_date <= $2::date + (select max(near_expiry_days) from ${productRows('$1')} p)`)}
  order by b.product_code, b.batch_no limit $4`);

/** Batches of these products. One that has expired already does not enter the range. */
export async function findNearExpiry(tx: Tx, productCodes: readonly string[]): Promise<NearBatch[]> {
  return tx.query<NearBatch>(nearOfProducts, [tx.orgId, tx.today, productCodes]);
}

/** Batches of all products, including those that expired on or after `since`, while no worker was running. */
export async function findNearExpirySince(tx: Tx, since: string, limit: number): Promise<NearBatch[]> {
  return tx.query<NearBatch>(nearSince, [tx.orgId, tx.today, since, limit]);
}

/** Takes the lock that every change of stock, and of a product's range, takes first; sorted against deadlocks. */
export async function lockProductsOf(tx: Tx, batches: readonly NearBatch[]): Promise<void> {
  await lockProductsInOrder(tx, [...new Set(batches.map((batch) => batch.productCode))]);
}

const insertNotices = statement(`
  insert into near_expiry_notices (org_id, product_code, batch_no, entered_on)
  select p.org_id, b.product_code, b.batch_no, $2 from unnest($3::text[], $4::text[]) as b(product_code, batch_no)
  join ${productRows('$1')} p on p.product_code = b.product_code
  join ${batchRows('$1')} t on t.product_code = b.product_code and t.batch_no = b.batch_no
  where t.expiry_date <= $2::date + p.near_expiry_days
    and exists (select from ${balanceRows('$1')} s
      where s.product_code = b.product_code and s.batch_no = b.batch_no and s.quantity > 0)
  order by b.product_code, b.batch_no
  on conflict do nothing returning product_code as "productCode", batch_no as "batchNo"`);

/** Returns the batches whose row this transaction inserted: the unique keys let only one transaction insert each. */
export async function insertNearExpiryNotices(tx: Tx, batches: readonly NearBatch[]): Promise<NearBatch[]> {
  return tx.query<NearBatch>(insertNotices, [
    tx.orgId,
    tx.today,
    batches.map((batch) => batch.productCode),
    batches.map((batch) => batch.batchNo),
  ]);
}

const stockOf = statement(`
  select b.product_code as "productCode", b.batch_no as "batchNo", p.product_name as "productName",
    t.expiry_date as "expiryDate", t.expiry_date - $2::date as "daysRemaining",
    json_agg(json_build_object('warehouse', s.warehouse, 'quantity', s.quantity) order by s.warehouse) as "byWarehouse"
  from unnest($3::text[], $4::text[]) as b(product_code, batch_no)
  join ${productRows('$1')} p on p.product_code = b.product_code
  join ${batchRows('$1')} t on t.product_code = b.product_code and t.batch_no = b.batch_no
  join ${balanceRows('$1')} s on s.product_code = b.product_code and s.batch_no = b.batch_no and s.quantity > 0
  group by 1, 2, 3, 4 order by 1, 2`);

export async function readNearStock(tx: Tx, batches: readonly NearBatch[]): Promise<NearStock[]> {
  return tx.query<NearStock>(stockOf, [
    tx.orgId,
    tx.today,
    batches.map((batch) => batch.productCode),
    batches.map((batch) => batch.batchNo),
  ]);
}

const leave = statement(`
  update near_expiry_notices n set left_on = $3 from ${batchRows('$1')} b, ${productRows('$1')} p
  where n.org_id = $1 and n.product_code = any($2) and n.left_on is null
    and b.product_code = n.product_code and b.batch_no = n.batch_no
    and p.product_code = n.product_code
    and (b.expiry_date is null or b.expiry_date > $3::date + p.near_expiry_days)`);

/** Marks batches that a smaller range or a corrected date puts outside the range: they can enter it again. */
export async function markLeft(tx: Tx, productCodes: readonly string[]): Promise<void> {
  tx.send(leave, [tx.orgId, productCodes, tx.today]);
}

const end = statement(`
  update near_expiry_notices set left_on = $2
  where org_id = $1 and product_code = $3 and batch_no = $4 and left_on is null`);

export async function endNotice(tx: Tx, { productCode, batchNo }: NearBatch): Promise<void> {
  tx.send(end, [tx.orgId, tx.today, productCode, batchNo]);
}
