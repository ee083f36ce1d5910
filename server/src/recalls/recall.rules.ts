import { StateMachine } from '../platform/transitions/index.js';
import { refuseRecall } from './recall.errors.js';
import {
  ANSWER_COUNTS,
  type AnswerCounts,
  type Consignee,
  type Effectiveness,
  type Progress,
  type RecallExtent,
  type RecallStanding,
  type RecallStatus,
} from './recall.js';

export const recallMachine = new StateMachine<RecallStatus, 'acknowledge' | 'answer' | 'close'>('recall', [
  {
    from: ['open'],
    action: 'acknowledge',
    to: ['open'],
    effect: 'a consignee acknowledged the recall',
  },
  {
    from: ['open'],
    action: 'answer',
    to: ['open'],
    effect: 'a consignee reported what happened to its goods',
  },
  {
    from: ['open'],
    action: 'close',
    to: ['closed'],
    effect:
      'no stock is left under its holds, and every consignee has answered or is excused; its holds stay',
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
    answered: consignees.filter((each) => each.answer !== null).length,
    shippedQuantity: shipped,
    returnedQuantity: sum(consignees.map((each) => each.returnedQuantity)),
    share: shipped === 0 ? 1 : recovered / shipped,
  };
}

/** The counts alone, without the other fields of an answer. */
export const countsOf = ({ onHand, used, returned, destroyed, notFound }: AnswerCounts): AnswerCounts => ({
  onHand,
  used,
  returned,
  destroyed,
  notFound,
});

export const sumOfCounts = (counts: AnswerCounts): number => sum(ANSWER_COUNTS.map((name) => counts[name]));

/** Adds up what consignees answered. What nobody accounts for is `notAnswered`, so the parts always add up to `delivered`. */
export function progressOf(consignees: readonly Consignee[]): Progress {
  const answers = consignees.flatMap(({ answer }) => answer ?? []);
  const counted = (name: keyof AnswerCounts) => sum(answers.map((answer) => answer[name]));
  const delivered = sum(consignees.map((each) => each.quantity));
  return {
    delivered,
    onHand: counted('onHand'),
    used: counted('used'),
    returned: counted('returned'),
    destroyed: counted('destroyed'),
    notFound: counted('notFound'),
    notAnswered: delivered - sum(answers.map(sumOfCounts)),
    returnedQuantity: sum(consignees.map((each) => each.returnedQuantity)),
  };
}

/** The audit entry has only totals: the ledger can return the consignees at any time. */
export function auditedOf({ consignees, lastEventAt: _lastEventAt, ...recall }: RecallStanding) {
  return { ...recall, effectiveness: effectivenessOf(consignees) };
}
