import { type Documents, sale } from '../documents.js';
import {
  type Answered,
  at,
  CREATED,
  EMPTY,
  type ExpectedRoute,
  MISSING,
  named,
  post,
  type Scope,
  UNKNOWN_REFERENCE,
  withProduct,
} from './expected-route.js';

const order = (part: object) => post('/v2/orders', { orderNo: 'OKAPI-SAME', ...sale, ...part });
const batch = (part: object) =>
  post('/v2/orders/batch', { orders: [{ orderNo: 'OKAPI-SAME', ...sale, ...part }] });
const refusedItem = ({ code, reason }: Answered): Answered => ({
  status: 200,
  code: 0,
  item: { status: 400, code, errors: [{ reason }] },
});

/** A step of an order that is in the required status. */
const orderStep = (
  action: string,
  scope: Scope,
  state: Parameters<Documents['order']>[0],
  body: object = {},
): ExpectedRoute => ({
  route: `POST /v2/orders/:orderId/${action}`,
  scope,
  customerBound: 'refused',
  request: async ({ make }) => post(`/v2/orders/${await make.order(state)}/${action}`, body),
  names: [
    named(
      'order',
      (id) => post(`/v2/orders/${id}/${action}`, body),
      MISSING,
      (make) => make.order(state),
    ),
  ],
});

export const orders: readonly ExpectedRoute[] = [
  {
    route: 'GET /v2/orders',
    scope: 'orders:read',
    customerBound: 'allowed',
    request: at('/v2/orders'),
    names: [
      named('orderNo', (no) => `/v2/orders?orderNo=${no}`, EMPTY),
      named('partner', (code) => `/v2/orders?customerCode=${code}`, EMPTY),
    ],
  },
  {
    route: 'GET /v2/orders/:orderId',
    scope: 'orders:read',
    customerBound: 'allowed',
    request: ({ ours }) => ({ path: `/v2/orders/${ours.order}` }),
    names: [named('order', (id) => `/v2/orders/${id}`, MISSING)],
  },
  {
    // Stock, certificates and receipts in it need scopes of their own, and are left out without them.
    route: 'GET /v2/orders/:orderId/readiness',
    scope: 'orders:read',
    customerBound: 'refused',
    request: ({ ours }) => ({ path: `/v2/orders/${ours.order}/readiness` }),
    names: [named('order', (id) => `/v2/orders/${id}/readiness`, MISSING)],
  },
  {
    route: 'POST /v2/orders',
    scope: 'orders:write',
    customerBound: 'allowed',
    request: ({ ours }) => order({ customerCode: ours.partner }),
    names: [
      named('spare', (orderNo) => order({ orderNo }), CREATED),
      named('partner', (customerCode) => order({ customerCode }), UNKNOWN_REFERENCE),
      named('warehouse', (warehouse) => order({ warehouse }), UNKNOWN_REFERENCE),
      named('product', (code) => order({ lines: withProduct(sale.lines, code) }), UNKNOWN_REFERENCE),
      named(
        'orderNo',
        (orderNo) => post('/v2/orders', { customerCode: 'HOSP-1', orderNo, cancel: true }),
        MISSING,
        (make) => make.orderNo(),
      ),
    ],
  },
  {
    route: 'POST /v2/orders/batch',
    scope: 'orders:write',
    customerBound: 'allowed',
    request: ({ ours }) => batch({ customerCode: ours.partner }),
    names: [
      named('spare', (orderNo) => batch({ orderNo }), { ...CREATED, item: { status: 200 } }),
      named('partner', (customerCode) => batch({ customerCode }), refusedItem(UNKNOWN_REFERENCE)),
      named('warehouse', (warehouse) => batch({ warehouse }), refusedItem(UNKNOWN_REFERENCE)),
      named(
        'product',
        (code) => batch({ lines: withProduct(sale.lines, code) }),
        refusedItem(UNKNOWN_REFERENCE),
      ),
      named(
        'orderNo',
        (orderNo) =>
          post('/v2/orders/batch', { orders: [{ customerCode: 'HOSP-1', orderNo, cancel: true }] }),
        refusedItem(MISSING),
        (make) => make.orderNo(),
      ),
    ],
  },
  orderStep('approve', 'orders:approve', 'pending'),
  orderStep('reject', 'orders:approve', 'pending', { reason: 'no longer sold' }),
  orderStep('cancel', 'orders:write', 'approved'),
  orderStep('hold', 'orders:write', 'approved'),
  orderStep('release', 'orders:write', 'held'),
  orderStep('reserve', 'orders:write', 'short'),
  orderStep('close', 'orders:write', 'partial'),
];
