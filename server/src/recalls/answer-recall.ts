import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { readRecall } from './load-recall.js';
import { publishRecall } from './publish-recall.js';
import { refuseRecall } from './recall.errors.js';
import type { AnswerCounts, RecallStanding } from './recall.js';
import { countsOf, recallMachine, sumOfCounts } from './recall.rules.js';
import { lockRecall, raiseVersion, saveAcknowledgement } from './recall.store.js';
import { saveAnswer } from './recall-answer.store.js';
import { readConsignees } from './recall-standing.store.js';

export interface AnswerRequest extends AnswerCounts {
  customerCode: string;
  note: string | null;
}

/**
 * Records what happened to the goods shipped to a consignee. A later answer replaces it. `boundTo` not null: the caller
 * answers for this customer only, and other customers are treated as nonexistent.
 */
export async function answerRecall(
  tx: Tx,
  recallId: string,
  input: AnswerRequest,
  boundTo: string | null = null,
): Promise<RecallStanding> {
  const recall = await lockRecall(tx, recallId);
  if (!recall) throw missing('recall', 'recallId');
  const [consignee] = await readConsignees(tx, [recall], boundTo ?? input.customerCode);
  if (!consignee && boundTo !== null) throw missing('recall', 'recallId');
  if (consignee?.customerCode !== input.customerCode) throw missing('consignee', 'customerCode');
  recallMachine.require(recall.status, 'answer');
  const { customerCode, note } = input;
  const accounted = sumOfCounts(input);
  if (accounted > consignee.quantity)
    throw refuseRecall(
      'more_than_delivered',
      null,
      `${consignee.quantity} were delivered to ${customerCode}; the answer accounts for ${accounted}`,
    );
  if (!consignee.acknowledgedAt)
    await saveAcknowledgement(tx, recallId, { customerCode, acknowledgedAt: tx.now, note: null });
  await saveAnswer(tx, recallId, input);
  await raiseVersion(tx, recallId);
  await recordAudit(tx, {
    action: 'recall.answer',
    entityType: 'recall',
    entityId: recallId,
    reason: note,
    before: consignee.answer && { customerCode, ...countsOf(consignee.answer), note: consignee.answer.note },
    after: { customerCode, ...countsOf(input), note },
  });
  const after = await readRecall(tx, recallId);
  await publishRecall(tx, 'recall.updated', after, customerCode);
  return boundTo === null ? after : readRecall(tx, recallId, boundTo);
}
