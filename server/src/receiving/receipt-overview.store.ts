import { statement, type Tx } from '../platform/database/index.js';

const pending = statement(
  "select count(*) as count from receipts where org_id = $1 and status = 'pending_acceptance'",
);

export async function countPendingReceipts(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(pending, [tx.orgId]);
  return row?.count ?? 0;
}
