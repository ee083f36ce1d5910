import { StateMachine } from '../platform/transitions/index.js';
import { refuseRecall } from './recall.errors.js';
import type { Consignee, Effectiveness, RecallExtent, RecallStanding, RecallStatus } from './recall.js';

export const recallMachine = new StateMachine<RecallStatus, 'acknowledge' | 'close'>('recall', [
  {
    from: ['open'],
    action: 'acknowledge',
    to: ['open'],
    effect: 'a consignee acknowledged the recall',
  },
  {
    from: ['open'],
    action: 'close',
    to: ['closed'],
    effect: 'its holds are released, and nothing else can release them',
  },
]);

export function extentOf(named: {
  batchNos?: readonly string[] | undefined;
  serials?: readonly string[] | undefined;
}): RecallExtent {
  if (named.batchNos && named.serials) throw refuseRecall('batches_or_serials', '/serials');
  if (named.batchNos) return 'batches';
  return named.serials ? 'serials' : 'product';
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Returns beyond what a customer received do not offset those of other customers. */
export function effectivenessOf(consignees: readonly Consignee[]): Effectiveness {
  const shipped = sum(consignees.map((each) => each.quantity));
  const recovered = sum(consignees.map((each) => Math.min(each.quantity, each.returnedQuantity)));
  return {
    consignees: consignees.length,
    acknowledged: consignees.filter((each) => each.acknowledgedAt !== null).length,
    shippedQuantity: shipped,
    returnedQuantity: sum(consignees.map((each) => each.returnedQuantity)),
    share: shipped === 0 ? 1 : recovered / shipped,
  };
}

/** The audit entry holds only totals: the ledger has the consignees at any time. */
export function auditedOf({ consignees, ...recall }: RecallStanding) {
  return { ...recall, effectiveness: effectivenessOf(consignees) };
}
