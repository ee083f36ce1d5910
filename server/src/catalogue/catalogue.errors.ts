import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const catalogueReasons = {
  code_mismatch: {
    kind: 'invalid',
    meaning: 'the code in the body differs from the code in the path',
    remedy: 'Leave the code out of the body, or make both the same.',
  },
  reserved_code: {
    kind: 'invalid',
    meaning: 'the code is reserved: it has the form of a Lotward id, or is `*`',
    remedy: 'Choose a code that is not `*` and does not begin with the prefix of an id, such as `prd_`.',
  },
  range_crossed: {
    kind: 'invalid',
    meaning: 'the lower limit is above the upper limit',
    remedy: 'Swap or correct the limits.',
  },
  udi_di_taken: {
    kind: 'invalid',
    meaning: 'the device identifier already belongs to another product or package',
    remedy: 'Correct the device identifier, or remove it from the other product or package first.',
  },
  tracking_in_use: {
    kind: 'invalid',
    meaning: 'the product has stock, so its tracking cannot change',
    remedy: 'Bring its stock to zero first, or keep its tracking.',
  },
  wrong_partner_role: {
    kind: 'invalid',
    meaning: 'the partner does not have the required role',
    remedy: 'Add the role to the partner, or name another partner.',
  },
  customer_suspended: {
    kind: 'invalid',
    meaning: 'the customer is suspended: nothing is approved, reserved or shipped for it',
    remedy: 'Set the partner to active again, or reject the order. Returns are accepted.',
  },
  supplier_suspended: {
    kind: 'invalid',
    meaning: 'the supplier is suspended: nothing is accepted from it',
    remedy: 'Set the partner to active again, or reject the lines.',
  },
  product_suspended: {
    kind: 'invalid',
    meaning: 'the product is suspended: it is neither purchased nor sold',
    remedy: 'Set the product to active again, or reject the order or the line. Returns are accepted.',
  },
  product_discontinued: {
    kind: 'invalid',
    meaning: 'the product is discontinued: it can be sold off, not purchased',
    remedy: 'Reject the line, or set the product to active again.',
  },
  gln_invalid: {
    kind: 'invalid',
    meaning: 'the value is not a Global Location Number: 13 digits, of which the last is a check digit',
    remedy: 'Correct the number. Example: 6901234567892.',
  },
  registration_code_invalid: {
    kind: 'invalid',
    meaning:
      'the value is not a unified social credit code: 18 digits and capital letters other than I, O, S, V, Z; the last is a check character',
    remedy: 'Correct the code. Example: 91350100M000100Y43.',
  },
  duplicate_address: {
    kind: 'invalid',
    meaning: 'two addresses of the partner have the same code',
    remedy: 'Give each address its own code.',
  },
  consignment_customer: {
    kind: 'invalid',
    meaning: 'a consignment warehouse needs a customer, and an own warehouse must not have one',
    remedy: 'Send `customerCode` with `kind` consignment, and leave it out with `kind` own.',
  },
  warehouse_not_empty: {
    kind: 'invalid',
    meaning: 'the warehouse has stock, so its kind and customer cannot change',
    remedy: 'Transfer its stock to another warehouse first, or keep its kind and customer.',
  },
  zone_in_use: {
    kind: 'invalid',
    meaning: 'a zone that the body leaves out has a monitoring point',
    remedy: 'Move the point to another zone first, or keep the zone.',
  },
  duplicate_zone: {
    kind: 'invalid',
    meaning: 'two zones have the same code',
    remedy: 'Give each zone its own code.',
  },
} as const satisfies Reasons;

export const refuseCatalogue = refusalOf(catalogueReasons);
