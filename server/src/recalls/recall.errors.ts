import { type Reasons, refusalOf } from '../platform/errors/index.js';

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
  in_the_future: {
    kind: 'invalid',
    meaning: 'the instant is in the future',
    remedy: 'Give the instant at which it happened.',
  },
} as const satisfies Reasons;

export const refuseRecall = refusalOf(recallReasons);
