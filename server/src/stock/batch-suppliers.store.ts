import { statement, type Tx } from '../platform/database/index.js';

const suppliers = statement(`
  select distinct m.counterparty_code as code from unnest($2::text[], $3::text[]) as n(product_code, batch_no)
  join movements m on m.org_id = $1 and m.product_code = n.product_code and m.batch_no = n.batch_no
    and m.counterparty_type = 'supplier' and m.kind = 'receipt'
  order by 1`);

/** The suppliers from whom goods of these batches were received. */
export async function readSuppliersOfBatches(
  tx: Tx,
  batches: readonly { productCode: string; batchNo: string }[],
): Promise<string[]> {
  if (batches.length === 0) return [];
  const rows = await tx.query<{ code: string }>(suppliers, [
    tx.orgId,
    batches.map((batch) => batch.productCode),
    batches.map((batch) => batch.batchNo),
  ]);
  return rows.map((row) => row.code);
}
