import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const catalogueReasons = {
  code_mismatch: {
    kind: 'invalid',
    meaning: 'the code in the body is not the one in the path',
    remedy: 'Leave the code out of the body, or make both the same.',
  },
  reserved_code: {
    kind: 'invalid',
    meaning: 'this code is reserved for identifiers of Lotward',
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
  customer_suspended: {
    kind: 'invalid',
    meaning: 'the customer is suspended: nothing is approved, reserved or shipped for it',
    remedy: 'Set the partner to active again, or reject the order. Returns are still accepted.',
  },
  supplier_suspended: {
    kind: 'invalid',
    meaning: 'the supplier is suspended: nothing is accepted from it',
    remedy: 'Set the partner to active again, or reject the lines.',
  },
  product_suspended: {
    kind: 'invalid',
    meaning: 'the product is suspended: it is neither purchased nor sold',
    remedy: 'Set the product to active again, or reject the order or the line. Returns are still accepted.',
  },
  product_discontinued: {
    kind: 'invalid',
    meaning: 'the product is discontinued: it can be sold off, not purchased',
    remedy: 'Reject the line, or set the product to active again.',
  },
  gln_invalid: {
    kind: 'invalid',
    meaning: 'this is not a Global Location Number: 13 digits, the last of which is their check digit',
    remedy: 'Correct the number; 6901234567892 is an example of one.',
  },
  registration_code_invalid: {
    kind: 'invalid',
    meaning:
      'this is not a unified social credit code: 18 digits and capitals without I, O, S, V, Z, the last a check character',
    remedy: 'Correct the code; 91350100M000100Y43 is an example of one.',
  },
  duplicate_address: {
    kind: 'invalid',
    meaning: 'two addresses of the partner have the same code',
    remedy: 'Give each address a code of its own.',
  },
  consignment_customer: {
    kind: 'invalid',
    meaning:
      'a consignment warehouse needs the customer at whose site it is; an own warehouse has no customer',
    remedy: 'Give `customerCode` with `kind` consignment, and leave it out with `kind` own.',
  },
  warehouse_not_empty: {
    kind: 'invalid',
    meaning: 'the warehouse has stock, so its kind and customer cannot change',
    remedy: 'Transfer its stock to another warehouse first, or keep its kind and customer.',
  },
  zone_in_use: {
    kind: 'invalid',
    meaning: 'a monitoring point is in a zone that would be removed',
    remedy: 'Move the point to another zone first, or keep the zone.',
  },
  duplicate_zone: {
    kind: 'invalid',
    meaning: 'two zones have the same code',
    remedy: 'Give each zone a code of its own.',
  },
} as const satisfies Reasons;

export const refuseCatalogue = refusalOf(catalogueReasons);
