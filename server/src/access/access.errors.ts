import type { Reasons } from '../platform/errors/index.js';

export const accessReasons = {
  customer_bound: {
    kind: 'forbidden',
    meaning: 'a credential bound to one customer may not do this, or named another customer',
    remedy: 'Use a credential of the organization itself.',
  },
} as const satisfies Reasons;
