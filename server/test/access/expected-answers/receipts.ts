import { purchase } from '../documents.js';
import {
  at,
  CREATED,
  EMPTY,
  type ExpectedRoute,
  MISSING,
  named,
  post,
  UNKNOWN_REFERENCE,
  withProduct,
} from './expected-route.js';

const receive = (part: object) => post('/v2/receipts', { receiptNo: 'OKAPI-SAME', ...purchase, ...part });
/** A return of the dispatched goods. */
const giveBack = (customerCode: string, dispatchId: string) =>
  receive({
    ...{ receiptNo: 'OKAPI-BACK', kind: 'return', supplierCode: null, customerCode },
    lines: purchase.lines.map((line) => ({ ...line, dispatchId })),
  });
const acceptance = { lines: [{ lineNo: 1, acceptedQuantity: 1, rejectedQuantity: 0 }] };

export const receipts: readonly ExpectedRoute[] = [
  {
    route: 'GET /v2/receipts',
    scope: 'receipts:read',
    customerBound: 'refused',
    request: at('/v2/receipts'),
    names: [
      named('receiptNo', (no) => `/v2/receipts?receiptNo=${no}`, EMPTY),
      named('partner', (code) => `/v2/receipts?supplierCode=${code}`, EMPTY),
    ],
  },
  {
    route: 'GET /v2/receipts/:receiptId',
    scope: 'receipts:read',
    customerBound: 'refused',
    request: ({ ours }) => ({ path: `/v2/receipts/${ours.receipt}` }),
    names: [named('receipt', (id) => `/v2/receipts/${id}`, MISSING)],
  },
  {
    route: 'POST /v2/receipts',
    scope: 'receipts:write',
    customerBound: 'refused',
    request: () => receive({}),
    names: [
      named('spare', (receiptNo) => receive({ receiptNo }), CREATED),
      named('partner', (supplierCode) => receive({ supplierCode }), UNKNOWN_REFERENCE),
      named(
        'partner',
        (customerCode) => receive({ kind: 'return', supplierCode: null, customerCode }),
        UNKNOWN_REFERENCE,
      ),
      named('warehouse', (warehouse) => receive({ warehouse }), UNKNOWN_REFERENCE),
      named('product', (code) => receive({ lines: withProduct(purchase.lines, code) }), UNKNOWN_REFERENCE),
      named('dispatch', (dispatchId, { partner }) => giveBack(partner, dispatchId), UNKNOWN_REFERENCE),
    ],
  },
  {
    route: 'POST /v2/receipts/:receiptId/acceptance',
    scope: 'receipts:write',
    customerBound: 'refused',
    request: async ({ make }) => post(`/v2/receipts/${await make.receipt()}/acceptance`, acceptance),
    names: [
      named(
        'receipt',
        (id) => post(`/v2/receipts/${id}/acceptance`, acceptance),
        MISSING,
        (make) => make.receipt(),
      ),
    ],
  },
  {
    route: 'POST /v2/receipts/:receiptId/cancel',
    scope: 'receipts:write',
    customerBound: 'refused',
    request: async ({ make }) => post(`/v2/receipts/${await make.receipt()}/cancel`, { reason: 'twice' }),
    names: [
      named(
        'receipt',
        (id) => post(`/v2/receipts/${id}/cancel`, { reason: 'twice' }),
        MISSING,
        (make) => make.receipt(),
      ),
    ],
  },
];
