import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const dispatchReasons = {
  nothing_left: {
    kind: 'invalid',
    meaning: 'nothing of the order is left to dispatch',
    remedy: 'Finish the open dispatches.',
  },
  more_than_left: {
    kind: 'invalid',
    meaning: 'more than is left of a line',
    remedy: 'Read the order: the quantity, less dispatched, closed and in open dispatches, is left.',
  },
  not_reserved: {
    kind: 'invalid',
    meaning: 'not all of the requested quantity is reserved',
    remedy: 'Reserve the missing stock (`/reserve`), or dispatch only what is reserved.',
  },
  unknown_line: {
    kind: 'invalid',
    meaning: 'the line does not exist here',
    remedy: 'Use the line numbers of the order.',
  },
  duplicate_pick: {
    kind: 'invalid',
    meaning: 'the same line and batch appear twice',
    remedy: 'Add the quantities up.',
  },
  too_many_picked: {
    kind: 'invalid',
    meaning: 'more was picked than the line asks for',
    remedy: 'Correct the quantities.',
  },
  reason_required: {
    kind: 'invalid',
    meaning: 'another batch than reserved was picked without a reason',
    remedy: 'Give `reason`, or pick the reserved batch.',
  },
  same_person: {
    kind: 'invalid',
    meaning: 'the person who picked may not re-check',
    remedy: 'Let another person re-check.',
  },
  serials_mismatch: {
    kind: 'invalid',
    meaning: 'the serial numbers do not fit the pick',
    remedy: 'Name every serialized unit of a serial-tracked line once, and none for other lines.',
  },
  scan_not_on_list: {
    kind: 'invalid',
    meaning: 'the scanned goods are not on the pick list',
    remedy: 'Put them back; the lines of the dispatch list what to pick.',
  },
  scan_too_many: {
    kind: 'invalid',
    meaning: 'more was scanned than the dispatch needs',
    remedy: 'Put the surplus back; a package counts all the units in it.',
  },
  scanned_twice: {
    kind: 'invalid',
    meaning: 'the same serialized unit was scanned twice',
    remedy: 'Send each serial number once.',
  },
  scan_mismatch: {
    kind: 'invalid',
    meaning: 'the scanned goods differ from the record',
    remedy: 'Compare the goods with `message`; if they are wrong, fail the re-check and pick again.',
  },
  batch_expired: {
    kind: 'invalid',
    meaning: 'the scanned goods have expired',
    remedy: 'Pick another batch.',
  },
  batch_required: {
    kind: 'invalid',
    meaning: 'the code has no batch although the product is tracked by batch',
    remedy: 'Scan the code with the batch too, or name the batch in `picks`.',
  },
  in_the_future: {
    kind: 'invalid',
    meaning: 'the instant is in the future',
    remedy: 'Give the instant at which it happened.',
  },
} as const satisfies Reasons;

export const refuseDispatch = refusalOf(dispatchReasons);
