import { statement, type Tx } from '../platform/database/index.js';

/** The stored facts of a batch in a warehouse. */
export interface KnownBatch {
  productCode: string;
  batchNo: string;
  expiryDate: string | null;
  /** The whole batch is on hold in the warehouse. */
  isHeld: boolean;
}

/** The stored facts of a serialized unit. */
export interface KnownUnit {
  productCode: string;
  serialNo: string;
  batchNo: string;
  warehouse: string | null;
  isHeld: boolean;
}

const batchesAt = statement(`
  select b.product_code as "productCode", b.batch_no as "batchNo", b.expiry_date as "expiryDate",
    exists (select from holds h where h.org_id = $1 and h.product_code = b.product_code and h.batch_no = b.batch_no
      and h.extent = 'batch' and h.released_at is null and (h.warehouse is null or h.warehouse = $4)) as "isHeld"
  from (select distinct * from unnest($2::text[], $3::text[])) as q(product_code, batch_no)
  join batches b on b.org_id = $1 and b.product_code = q.product_code and b.batch_no = q.batch_no`);
const units = statement(`
  select s.product_code as "productCode", s.serial_no as "serialNo", s.batch_no as "batchNo", s.warehouse, s.holds > 0 as "isHeld"
  from (select distinct * from unnest($2::text[], $3::text[])) as q(product_code, serial_no)
  join serials s on s.org_id = $1 and s.product_code = q.product_code and s.serial_no = q.serial_no`);

/** Reads without a lock, because the command that changes the stock checks again. */
export async function readKnownBatches(
  tx: Tx,
  warehouse: string,
  goods: readonly { productCode: string; batchNo: string }[],
): Promise<KnownBatch[]> {
  if (goods.length === 0) return [];
  return tx.query<KnownBatch>(batchesAt, [
    tx.orgId,
    goods.map((each) => each.productCode),
    goods.map((each) => each.batchNo),
    warehouse,
  ]);
}

export async function readKnownUnits(
  tx: Tx,
  goods: readonly { productCode: string; serialNo: string }[],
): Promise<KnownUnit[]> {
  if (goods.length === 0) return [];
  return tx.query<KnownUnit>(units, [
    tx.orgId,
    goods.map((each) => each.productCode),
    goods.map((each) => each.serialNo),
  ]);
}
