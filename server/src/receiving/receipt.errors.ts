import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const receiptReasons = {
  receipt_not_editable: {
    kind: 'invalid',
    meaning: 'the receipt was accepted, rejected or cancelled and its content can no longer change',
    remedy: 'Correct stock by an adjustment, or enter a new receipt.',
  },
  partner_required: {
    kind: 'invalid',
    meaning: 'a purchase names its supplier, a return its customer, and not the other',
    remedy: 'Give `supplierCode` for a purchase or `customerCode` for a return.',
  },
  expiry_date_required: {
    kind: 'invalid',
    meaning: 'a line with a batch needs its expiry date',
    remedy: 'Give `expiryDate`; null for a batch that does not expire.',
  },
  duplicate_line: {
    kind: 'invalid',
    meaning: 'two lines have the same number',
    remedy: 'Number the lines uniquely.',
  },
  lines_mismatch: {
    kind: 'invalid',
    meaning: 'the acceptance does not name each line of the receipt once',
    remedy: 'Give a verdict on every line.',
  },
  quantities_mismatch: {
    kind: 'invalid',
    meaning: 'accepted and rejected do not add up to the quantity of the line',
    remedy: 'Correct the two quantities.',
  },
  reject_reason_required: {
    kind: 'invalid',
    meaning: 'goods are rejected without a reason',
    remedy: 'Give `rejectReason`.',
  },
  batch_expired: {
    kind: 'invalid',
    meaning: 'the batch has expired and cannot be accepted',
    remedy: 'Reject the line.',
  },
  scan_mismatch: {
    kind: 'invalid',
    meaning: 'the line and the codes scanned for it contradict each other',
    remedy: 'Omit the fields that the code contains, or correct them. One line is one product and batch.',
  },
  package_mismatch: {
    kind: 'invalid',
    meaning: 'the product or the quantity does not match the package that was scanned or named',
    remedy:
      'Give quantities in base units, in whole packages. For serial-tracked products, name every serialized unit.',
  },
  in_the_future: {
    kind: 'invalid',
    meaning: 'the instant is in the future',
    remedy: 'Give the instant at which it happened.',
  },
  serial_twice: {
    kind: 'invalid',
    meaning: 'a serial number is on the receipt twice',
    remedy: 'Name each serialized unit once.',
  },
} as const satisfies Reasons;

export const refuseReceipt = refusalOf(receiptReasons);
