import { productRows } from '../catalogue/index.js';
import { statement, type Tx } from '../platform/database/index.js';
import type { WaitingRecord } from '../platform/waiting-record.js';
import { findUnanswered } from './recall-standing.store.js';

export interface RecallOverview {
  open: number;
  /** Open recalls, among the newest hundred, with a consignee that has not acknowledged yet. */
  unanswered: number;
  /** The unanswered ones, oldest first. */
  waiting: WaitingRecord[];
}

const LOOKED_AT_MAX = 100;
const count = statement("select count(*) as count from recalls where org_id = $1 and status = 'open'");
const newest = statement(`
  select r.recall_id as id, r.recall_no as name, p.product_name as detail, r.opened_at as since from recalls r
  left join ${productRows('$1')} p on p.product_code = r.product_code
  where r.org_id = $1 and r.status = 'open' order by r.recall_id desc limit ${LOOKED_AT_MAX}`);

/** The unanswered recalls, oldest first: counted in the overview and shown in the list of the task. */
export async function readUnansweredRecalls(tx: Tx): Promise<WaitingRecord[]> {
  const recalls = await tx.query<WaitingRecord>(newest, [tx.orgId]);
  const unanswered = await findUnanswered(
    tx,
    recalls.map(({ id }) => id),
  );
  return recalls.filter(({ id }) => unanswered.has(id)).reverse();
}

export async function readRecallOverview(tx: Tx): Promise<RecallOverview> {
  const [row] = await tx.query<{ count: number }>(count, [tx.orgId]);
  const waiting = await readUnansweredRecalls(tx);
  return { open: row?.count ?? 0, unanswered: waiting.length, waiting };
}
