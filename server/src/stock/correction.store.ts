import { statement, type Tx } from '../platform/database/index.js';
import type { BatchChange } from './stock.js';

const insert = statement(`
  insert into batch_corrections (org_id, correction_id, product_code, batch_no, expiry_date_before, expiry_date_after,
    manufacture_date_before, manufacture_date_after, reason, corrected_at, corrected_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`);
const latestWarehouse = statement(`
  select warehouse from movements where org_id = $1 and product_code = $2 and batch_no = $3 order by position desc limit 1`);

export async function saveCorrection(
  tx: Tx,
  correction: {
    correctionId: string;
    productCode: string;
    batchNo: string;
    change: BatchChange;
    reason: string;
  },
): Promise<void> {
  const { correctionId, productCode, batchNo, change, reason } = correction;
  tx.send(insert, [
    tx.orgId,
    correctionId,
    productCode,
    batchNo,
    change.expiryDate.before,
    change.expiryDate.after,
    change.manufactureDate.before,
    change.manufactureDate.after,
    reason,
    tx.now,
    tx.actor,
  ]);
}

/** The warehouse of the latest movement of a batch, or null if it has none. */
export async function readLatestWarehouse(
  tx: Tx,
  productCode: string,
  batchNo: string,
): Promise<string | null> {
  const [row] = await tx.query<{ warehouse: string }>(latestWarehouse, [tx.orgId, productCode, batchNo]);
  return row?.warehouse ?? null;
}
