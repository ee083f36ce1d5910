import { organizationRow, statement, type Tx } from '../platform/database/index.js';
import type { AnswerCounts } from './recall.js';

const answer = statement(`
  insert into recall_answers (org_id, recall_id, customer_code, on_hand, used, returned, destroyed, not_found, note, answered_at, answered_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (org_id, recall_id, customer_code) do update set on_hand = excluded.on_hand, used = excluded.used,
    returned = excluded.returned, destroyed = excluded.destroyed, not_found = excluded.not_found, note = excluded.note,
    answered_at = excluded.answered_at, answered_by = excluded.answered_by`);
const insertUnanswered = statement(`
  insert into recall_unanswered (org_id, recall_id, customer_code, reason)
  select g.org_id, $2, u.customer_code, u.reason from ${organizationRow('g')}, unnest($3::text[], $4::text[]) as u(customer_code, reason)
  returning 1`);

/** Replaces an earlier answer of the customer. */
export async function saveAnswer(
  tx: Tx,
  recallId: string,
  given: AnswerCounts & { customerCode: string; note: string | null },
): Promise<void> {
  const { customerCode, onHand, used, returned, destroyed, notFound, note } = given;
  const counts = [onHand, used, returned, destroyed, notFound];
  tx.send(answer, [tx.orgId, recallId, customerCode, ...counts, note, tx.now, tx.actor]);
}

/** A consignee for whose answer the recall did not wait when it was closed, and why. */
export interface Unanswered {
  customerCode: string;
  reason: string;
}

export async function saveUnanswered(
  tx: Tx,
  recallId: string,
  unanswered: readonly Unanswered[],
): Promise<void> {
  if (unanswered.length === 0) return;
  const codes = unanswered.map((each) => each.customerCode);
  const reasons = unanswered.map((each) => each.reason);
  tx.send(insertUnanswered, [tx.orgId, recallId, codes, reasons]);
}
