import type { Static } from 'typebox';
import { refuseOtherCustomer } from '../access/index.js';
import { invalid } from '../platform/http/index.js';
import type { Principal } from '../platform/principal.js';
import type { OrderBody } from './order.schemas.js';
import type { OrderSync } from './sync-orders.js';

/** An order of a request that lacks only the caller. */
export type RequestedSync = Omit<OrderSync, 'by'>;

/** Converts a body to a sync request. Without `cancel` it must contain the whole order. */
export function toSync({ boundTo }: Principal, body: Static<typeof OrderBody>): RequestedSync {
  const { orderNo, customerCode, sourceVersion = null, reason = null } = body;
  if (boundTo !== null && customerCode !== boundTo) throw refuseOtherCustomer();
  if (body.cancel === true) return { orderNo, customerCode, sourceVersion, reason, content: null };
  const { warehouse, currency, lines } = body;
  if (warehouse === undefined) throw invalid('required', '/warehouse', 'is required');
  if (currency === undefined) throw invalid('required', '/currency', 'is required');
  if (lines === undefined) throw invalid('required', '/lines', 'is required');
  const content = { warehouse, currency, lines, requestedDate: body.requestedDate, remark: body.remark };
  return { orderNo, customerCode, sourceVersion, reason, content };
}
