import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing, refuseAny } from '../platform/errors/index.js';
import { lockProductOf } from '../stock/index.js';
import { readRecall } from './load-recall.js';
import { publishRecall } from './publish-recall.js';
import type { RecallStanding } from './recall.js';
import { auditedOf, recallMachine } from './recall.rules.js';
import { findRecall, lockRecall, markRecallClosed } from './recall.store.js';
import { saveUnanswered, type Unanswered } from './recall-answer.store.js';
import { openPoints, unansweredIssues } from './recall-settled.rules.js';

export interface Closing {
  reason: string;
  /** Consignees that will not answer, each with the reason. */
  unanswered: readonly Unanswered[];
}

/**
 * Closes a recall permanently, once its stock and all consignees are settled. Its holds stay: goods of a recalled batch that
 * return later are blocked, too.
 */
export async function closeRecall(tx: Tx, recallId: string, closing: Closing): Promise<RecallStanding> {
  const named = await findRecall(tx, recallId);
  if (!named) throw missing('recall', 'recallId');
  await lockProductOf(tx, named.productCode);
  const recall = (await lockRecall(tx, recallId)) ?? named;
  recallMachine.require(recall.status, 'close');
  const before = await readRecall(tx, recallId);
  refuseAny(unansweredIssues(before, closing.unanswered));
  refuseAny(openPoints(before, closing.unanswered));
  await saveUnanswered(tx, recallId, closing.unanswered);
  await markRecallClosed(tx, recallId, closing.reason);
  const after = await readRecall(tx, recallId);
  await recordAudit(tx, {
    action: 'recall.close',
    entityType: 'recall',
    entityId: recallId,
    reason: closing.reason,
    before: auditedOf(before),
    after: { ...auditedOf(after), unanswered: closing.unanswered },
  });
  await publishRecall(tx, 'recall.closed', after);
  return after;
}
