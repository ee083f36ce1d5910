import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const catalogueReasons = {
  code_mismatch: {
    kind: 'invalid',
    meaning: 'the code in the body is not the one in the path',
    remedy: 'Leave the code out of the body, or make both the same.',
  },
  reserved_code: {
    kind: 'invalid',
    meaning: 'this code looks like an identifier of Lotward and cannot be given',
    remedy: 'Choose a code that is not `*` and does not begin like an id (`prd_…`).',
  },
  range_crossed: {
    kind: 'invalid',
    meaning: 'the lower limit lies above the upper one',
    remedy: 'Swap or correct the limits.',
  },
  udi_di_taken: {
    kind: 'invalid',
    meaning: 'this device identifier already stands for another product or package',
    remedy: 'A device identifier names one thing: correct it, or remove it from the other product first.',
  },
  tracking_in_use: {
    kind: 'invalid',
    meaning: 'the product has stock that is tracked another way',
    remedy: 'Bring its stock to zero first, or keep the tracking as it is.',
  },
  wrong_partner_role: {
    kind: 'invalid',
    meaning: 'the partner does not have the role this needs',
    remedy: 'Add the role to the partner, or name another partner.',
  },
  zone_in_use: {
    kind: 'invalid',
    meaning: 'a monitoring point stands in a zone that would be dropped',
    remedy: 'Move the point to another zone first, or keep the zone.',
  },
  duplicate_zone: {
    kind: 'invalid',
    meaning: 'two zones have the same code',
    remedy: 'Give each zone a code of its own.',
  },
} as const satisfies Reasons;

export const refuseCatalogue = refusalOf(catalogueReasons);
