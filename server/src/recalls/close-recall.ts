import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { lockProductOf, releaseHoldsOfRecall } from '../stock/index.js';
import { readRecall } from './load-recall.js';
import type { RecallStanding } from './recall.js';
import { auditedOf, recallMachine } from './recall.rules.js';
import { findRecall, lockRecall, markRecallClosed } from './recall.store.js';

/** Closes a recall permanently. Stock that no other hold blocks becomes available again. */
export async function closeRecall(tx: Tx, recallId: string, reason: string): Promise<RecallStanding> {
  const named = await findRecall(tx, recallId);
  if (!named) throw missing('recall', 'recallId');
  await lockProductOf(tx, named.productCode);
  const recall = (await lockRecall(tx, recallId)) ?? named;
  recallMachine.require(recall.status, 'close');
  const before = await readRecall(tx, recallId);
  await releaseHoldsOfRecall(tx, recallId, reason);
  await markRecallClosed(tx, recallId, reason);
  const after = await readRecall(tx, recallId);
  await recordAudit(tx, {
    action: 'recall.close',
    entityType: 'recall',
    entityId: recallId,
    reason,
    before: auditedOf(before),
    after: auditedOf(after),
  });
  return after;
}
