import { statement, type Tx } from '../platform/database/index.js';
import type { OrderLineKey } from '../stock/index.js';

const ofLines = statement(`
  select l.order_id as "orderId", l.line_no as "lineNo", l.min_remaining_shelf_life_days as days
  from unnest($2::text[], $3::integer[]) as k(order_id, line_no)
  join order_lines l on l.org_id = $1 and l.order_id = k.order_id and l.line_no = k.line_no
  where l.min_remaining_shelf_life_days is not null`);

/** Days of shelf life that lines require; lines without a requirement are left out. */
export async function readShelfLifeOfLines(
  tx: Tx,
  lines: readonly OrderLineKey[],
): Promise<(OrderLineKey & { days: number })[]> {
  if (lines.length === 0) return [];
  return tx.query(ofLines, [tx.orgId, lines.map((line) => line.orderId), lines.map((line) => line.lineNo)]);
}
