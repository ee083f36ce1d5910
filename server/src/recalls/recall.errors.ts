import { type Issue, type Reasons, refusalOf } from '../platform/errors/index.js';

export const recallReasons = {
  recall_exists: {
    kind: 'invalid',
    meaning: 'a recall with this number exists',
    remedy: 'Read it (`GET /v2/recalls?recallNo=`), or choose another number.',
  },
  batches_or_serials: {
    kind: 'invalid',
    meaning: 'both batches and serial numbers are given',
    remedy: 'Name batches, or serial numbers, or neither for the whole product.',
  },
  not_a_consignee: {
    kind: 'invalid',
    meaning: 'no recalled goods were shipped to this customer',
    remedy: 'Choose one of the `consignees` of the recall.',
  },
  already_acknowledged: {
    kind: 'invalid',
    meaning: 'this customer has already acknowledged the recall',
    remedy: 'No action is needed.',
  },
  more_than_delivered: {
    kind: 'invalid',
    meaning: 'the answer accounts for more units than were delivered to this customer',
    remedy: 'Correct the counts: `message` says how many were delivered.',
  },
  already_answered: {
    kind: 'invalid',
    meaning: 'this customer has answered the recall',
    remedy: 'Leave it out of `unanswered`.',
  },
  duplicate_consignee: {
    kind: 'invalid',
    meaning: 'a customer is named twice',
    remedy: 'Name each customer once in `unanswered`.',
  },
  recall_not_settled: {
    kind: 'invalid',
    meaning: 'stock is still on hold for the recall, or a consignee has not answered',
    remedy:
      'Decide on the stock with dispositions. Record the answers of the consignees, or name in `unanswered` those that will not answer, each with a reason.',
  },
  in_the_future: {
    kind: 'invalid',
    meaning: 'the instant is in the future',
    remedy: 'Give the instant at which it happened.',
  },
} as const satisfies Reasons;

export const refuseRecall = refusalOf(recallReasons);

export const issueOf = (
  reason: keyof typeof recallReasons,
  path: string | null,
  message: string = recallReasons[reason].meaning,
): Issue => ({ path, reason, message });
