import { recordAudit } from '../audit/index.js';
import { partnerIssues, readNamedPartners } from '../catalogue/index.js';
import { maxAcceptedTimestamp } from '../platform/clock/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing, refuseAny } from '../platform/errors/index.js';
import { readRecall } from './load-recall.js';
import { publishRecall } from './publish-recall.js';
import { refuseRecall } from './recall.errors.js';
import type { RecallStanding } from './recall.js';
import { recallMachine } from './recall.rules.js';
import { lockRecall, raiseVersion, saveAcknowledgement } from './recall.store.js';
import { readConsignees } from './recall-standing.store.js';

export interface Acknowledgement {
  customerCode: string;
  note: string | null;
  /** Defaults to now. */
  acknowledgedAt?: string | undefined;
}

/** Records, once per consignee, that it knows of the recall. */
export async function acknowledgeRecall(
  tx: Tx,
  recallId: string,
  input: Acknowledgement,
): Promise<RecallStanding> {
  const recall = await lockRecall(tx, recallId);
  if (!recall) throw missing('recall', 'recallId');
  recallMachine.require(recall.status, 'acknowledge');
  const { customerCode, note } = input;
  const acknowledgedAt = input.acknowledgedAt === undefined ? tx.now : new Date(input.acknowledgedAt);
  if (acknowledgedAt.getTime() > maxAcceptedTimestamp(tx.now))
    throw refuseRecall('in_the_future', '/acknowledgedAt');
  const customer = (await readNamedPartners(tx, [customerCode])).get(customerCode);
  if (!customer) refuseAny(partnerIssues('/customerCode', customerCode, 'customer', customer));
  const consignee = (await readConsignees(tx, [recall])).find((each) => each.customerCode === customerCode);
  if (!consignee) throw refuseRecall('not_a_consignee', '/customerCode');
  if (consignee.acknowledgedAt) throw refuseRecall('already_acknowledged', '/customerCode');
  await saveAcknowledgement(tx, recallId, { customerCode, acknowledgedAt, note });
  await raiseVersion(tx, recallId);
  await recordAudit(tx, {
    action: 'recall.acknowledge',
    entityType: 'recall',
    entityId: recallId,
    reason: note,
    after: { customerCode, acknowledgedAt, note },
  });
  const after = await readRecall(tx, recallId);
  await publishRecall(tx, 'recall.updated', after, customerCode);
  return after;
}
