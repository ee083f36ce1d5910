import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const orderReasons = {
  order_not_editable: {
    kind: 'invalid',
    meaning: 'the order is past approval and its content can no longer change',
    remedy: 'Cancel it and send a new order, or change what you ship.',
  },
  stale_version: {
    kind: 'invalid',
    meaning: 'a newer version of this order was already received',
    remedy: 'None needed: your later message arrived first. Do not send this one again.',
  },
  duplicate_line: {
    kind: 'invalid',
    meaning: 'two lines have the same number',
    remedy: 'Number the lines uniquely.',
  },
  unknown_currency: {
    kind: 'invalid',
    meaning: 'the currency is not a current ISO 4217 code',
    remedy: 'Use the code of a currency that is in use, such as EUR or CNY.',
  },
  order_on_hold: {
    kind: 'invalid',
    meaning: 'the order is on hold',
    remedy: 'Release it first; cancelling is possible.',
  },
  order_not_on_hold: {
    kind: 'invalid',
    meaning: 'the order is not on hold',
    remedy: 'No action is needed.',
  },
  open_dispatch: {
    kind: 'invalid',
    meaning: 'a dispatch of this order is open',
    remedy: 'Finish or cancel the dispatch first.',
  },
  no_shortage: { kind: 'invalid', meaning: 'everything is reserved', remedy: 'No action is needed.' },
} as const satisfies Reasons;

export const refuseOrder = refusalOf(orderReasons);
