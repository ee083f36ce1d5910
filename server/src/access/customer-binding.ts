import { ApiError } from '../platform/errors/index.js';
import type { CredentialBinding } from '../platform/http/index.js';
import { accessReasons } from './access.errors.js';

/** The refusal of a credential bound to one customer that acts for another, or where it may not act at all. */
export const refuseOtherCustomer = (message: string = accessReasons.customer_bound.meaning): ApiError =>
  new ApiError('forbidden', [{ path: null, reason: 'customer_bound', message }]);

/** A bound credential is bound to one customer: `Principal.boundTo` is that customer's code. */
export const customerBinding: CredentialBinding = {
  extension: 'x-customer-bound',
  refuse: () => refuseOtherCustomer('not open to a credential bound to one customer'),
};
