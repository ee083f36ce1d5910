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
    remedy: 'Read the order: what is left is the quantity less dispatched, closed and in open dispatches.',
  },
  not_reserved: {
    kind: 'invalid',
    meaning: 'not everything asked for is reserved',
    remedy: 'Reserve what is missing (`/reserve`), or dispatch only what is reserved.',
  },
  unknown_line: {
    kind: 'invalid',
    meaning: 'the line does not exist here',
    remedy: 'Use the line numbers of the order.',
  },
  duplicate_pick: {
    kind: 'invalid',
    meaning: 'a line and batch is picked twice',
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
    meaning: 'who picked may not re-check',
    remedy: 'Let another person re-check.',
  },
  serials_mismatch: {
    kind: 'invalid',
    meaning: 'the serial numbers do not fit the pick',
    remedy: 'Name every piece of a serial-tracked line once, and none of other lines.',
  },
  scan_not_on_list: {
    kind: 'invalid',
    meaning: 'what was scanned is not on the pick list',
    remedy: 'Put it back; the lines of the dispatch say what is wanted.',
  },
  scan_too_many: {
    kind: 'invalid',
    meaning: 'more was scanned than is wanted',
    remedy: 'Put back what is too much; a package counts all the units in it.',
  },
  scanned_twice: {
    kind: 'invalid',
    meaning: 'the same piece was scanned twice',
    remedy: 'Send each serial number once.',
  },
  scan_mismatch: {
    kind: 'invalid',
    meaning: 'what was scanned is not what is recorded',
    remedy: 'Compare the goods with `message`; if they are wrong, fail the re-check and pick again.',
  },
  batch_expired: {
    kind: 'invalid',
    meaning: 'what was scanned has expired',
    remedy: 'Pick another batch.',
  },
  batch_required: {
    kind: 'invalid',
    meaning: 'the code does not say the batch of a product that is tracked by batch',
    remedy: 'Scan the code that holds the batch too, or name it in `picks`.',
  },
  in_the_future: {
    kind: 'invalid',
    meaning: 'the instant lies in the future',
    remedy: 'Give when it really happened.',
  },
} as const satisfies Reasons;

export const refuseDispatch = refusalOf(dispatchReasons);
