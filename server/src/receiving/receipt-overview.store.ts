import { statement, type Tx } from '../platform/database/index.js';
import type { WaitingRecord } from '../platform/waiting-record.js';

const pending = statement(
  "select count(*) as count from receipts where org_id = $1 and status = 'pending_acceptance'",
);

export async function countPendingReceipts(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(pending, [tx.orgId]);
  return row?.count ?? 0;
}

const oldest = statement(`
  select receipt_id as id, receipt_no as name, partner_name as detail, created_at as since from receipts
  where org_id = $1 and status = 'pending_acceptance' order by receipt_id limit $2`);

/** The oldest receipts that wait for acceptance. */
export const readPendingReceipts = (tx: Tx, limit: number): Promise<WaitingRecord[]> =>
  tx.query<WaitingRecord>(oldest, [tx.orgId, limit]);
