import { statement, type Tx } from '../platform/database/index.js';
import { countUnanswered } from './recall-standing.store.js';

export interface RecallOverview {
  open: number;
  /** Open recalls, among the newest hundred, with a consignee that has not acknowledged yet. */
  unanswered: number;
}

const LOOKED_AT_MAX = 100;
const count = statement("select count(*) as count from recalls where org_id = $1 and status = 'open'");
const newest = statement(`
  select recall_id as "recallId" from recalls where org_id = $1 and status = 'open'
  order by recall_id desc limit ${LOOKED_AT_MAX}`);

export async function readRecallOverview(tx: Tx): Promise<RecallOverview> {
  const [row] = await tx.query<{ count: number }>(count, [tx.orgId]);
  const recalls = await tx.query<{ recallId: string }>(newest, [tx.orgId]);
  return {
    open: row?.count ?? 0,
    unanswered: await countUnanswered(
      tx,
      recalls.map(({ recallId }) => recallId),
    ),
  };
}
