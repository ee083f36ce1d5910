import type { SCOPES } from '../../src/access/index.js';
import { GTIN } from '../harness/index.js';
import { type Documents, picks, purchase, sale } from './documents.js';
import type { Codes, World } from './world.js';

export type Scope = (typeof SCOPES)[number];

export interface Request {
  path: string;
  body?: unknown;
}

/** What comes back for something that is not there, be it nowhere or in another organization. */
interface Answered {
  status: 200 | 400 | 404;
  code: 0 | 1001 | 1004;
  reason?: string;
}
const MISSING: Answered = { status: 404, code: 1004 };
const UNKNOWN_REFERENCE: Answered = { status: 400, code: 1001, reason: 'unknown_reference' };
const NOT_IN_STOCK: Answered = { status: 400, code: 1001, reason: 'serial_not_in_stock' };
/** A list or a sum without it. */
const EMPTY: Answered = { status: 200, code: 0 };
/** A code belongs to its organization: whoever puts it has made it, whoever else has the same. */
const CREATED: Answered = { status: 200, code: 0 };

/** A place in the request where something of an organization is named. */
interface Naming {
  kind: keyof Codes;
  request: (code: string) => Request;
  ifNotOurs: Answered;
  /** Made anew, for either organization, where a request succeeds only once. */
  fresh?: (make: Documents) => Promise<string>;
}

/** One route: who may call it, a request that succeeds, and everything such a request can name. */
export interface ExpectedRoute {
  route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /v2/${string}`;
  /** Null: any credential will do. */
  scope: Scope | null;
  customerBound: 'allowed' | 'refused';
  /** Succeeds for the organization `ours`, as often as it is asked for. */
  request: (world: World) => Request | Promise<Request>;
  names: readonly Naming[];
}

const named = (
  kind: keyof Codes,
  request: (code: string) => Request | string,
  ifNotOurs: Answered,
  fresh?: Naming['fresh'],
): Naming => ({
  kind,
  ifNotOurs,
  ...(fresh ? { fresh } : {}),
  request: (code) => {
    const made = request(code);
    return typeof made === 'string' ? { path: made } : made;
  },
});

const at = (path: string) => () => ({ path });
const post = (path: string, body: object) => ({ path, body });
const adjustment = {
  productCode: GTIN,
  warehouse: 'WH-1',
  batchNo: 'LOT-1',
  quantityDelta: 1,
  reason: 'count',
};
const transfer = { productCode: GTIN, batchNo: 'LOT-1', from: 'WH-1', to: 'WH-2', quantity: 1 };
const hold = { productCode: GTIN, batchNo: 'LOT-1', warehouse: 'WH-1', quantity: 1, reason: 'inspection' };
const pieces = { productCode: 'PUMP-1', batchNo: 'LOT-1', reason: 'inspection' };
const adjust = (part: object) => post('/v2/stock/adjustments', { ...adjustment, ...part });
const move = (part: object) => post('/v2/stock/transfers', { ...transfer, ...part });
const block = (part: object) => post('/v2/stock/holds', { ...hold, ...part });
const receive = (part: object) => post('/v2/receipts', { receiptNo: 'OKAPI-SAME', ...purchase, ...part });
const order = (part: object) => post('/v2/orders', { orderNo: 'OKAPI-SAME', ...sale, ...part });
const withProduct = (lines: readonly object[], productCode: string) =>
  lines.map((line) => ({ ...line, productCode }));
const acceptance = { lines: [{ lineNo: 1, acceptedQuantity: 1, rejectedQuantity: 0 }] };
const delivery = { receivedBy: 'Ward 3', receivedAt: '2026-11-15T09:00:00Z' };

const catalogue: readonly ExpectedRoute[] = [
  {
    route: 'GET /v2/products',
    scope: 'products:read',
    customerBound: 'allowed',
    request: at('/v2/products'),
    names: [
      named('product', (code) => `/v2/products?productCode=${code}`, EMPTY),
      named('name', (name) => `/v2/products?name=${name}`, EMPTY),
    ],
  },
  {
    route: 'GET /v2/products/:id',
    scope: 'products:read',
    customerBound: 'allowed',
    request: at(`/v2/products/${GTIN}`),
    names: [
      named('product', (code) => `/v2/products/${code}`, MISSING),
      named('productId', (id) => `/v2/products/${id}`, MISSING),
    ],
  },
  {
    route: 'PUT /v2/products/:id',
    scope: 'products:write',
    customerBound: 'refused',
    request: () => ({ path: '/v2/products/GLOVE-1', body: { productName: 'Gloves', tracking: 'none' } }),
    names: [
      named('spare', (code) => ({ path: `/v2/products/${code}`, body: { productName: 'Spare' } }), CREATED),
      named('productId', (id) => ({ path: `/v2/products/${id}`, body: { productName: 'Renamed' } }), MISSING),
      named(
        'partner',
        (supplierCode) => ({ path: '/v2/products/TAPE-1', body: { productName: 'Tape', supplierCode } }),
        UNKNOWN_REFERENCE,
      ),
    ],
  },
  {
    route: 'GET /v2/partners',
    scope: 'products:read',
    customerBound: 'refused',
    request: at('/v2/partners'),
    names: [named('name', (name) => `/v2/partners?name=${name}`, EMPTY)],
  },
  {
    route: 'GET /v2/partners/:code',
    scope: 'products:read',
    customerBound: 'refused',
    request: at('/v2/partners/SUP-1'),
    names: [named('partner', (code) => `/v2/partners/${code}`, MISSING)],
  },
  {
    route: 'PUT /v2/partners/:code',
    scope: 'products:write',
    customerBound: 'refused',
    request: () => ({ path: '/v2/partners/SUP-1', body: { name: 'Acme Devices', roles: ['supplier'] } }),
    names: [
      named(
        'spare',
        (code) => ({ path: `/v2/partners/${code}`, body: { name: 'Spare', roles: ['supplier'] } }),
        CREATED,
      ),
    ],
  },
  {
    route: 'GET /v2/warehouses',
    scope: 'products:read',
    customerBound: 'refused',
    request: at('/v2/warehouses'),
    names: [],
  },
  {
    route: 'GET /v2/warehouses/:code',
    scope: 'products:read',
    customerBound: 'refused',
    request: at('/v2/warehouses/WH-1'),
    names: [named('warehouse', (code) => `/v2/warehouses/${code}`, MISSING)],
  },
  {
    route: 'PUT /v2/warehouses/:code',
    scope: 'products:write',
    customerBound: 'refused',
    request: () => ({ path: '/v2/warehouses/WH-2', body: { name: 'Second' } }),
    names: [named('spare', (code) => ({ path: `/v2/warehouses/${code}`, body: { name: 'Spare' } }), CREATED)],
  },
];

const stock: readonly ExpectedRoute[] = [
  {
    route: 'GET /v2/inventory',
    scope: 'inventory:read',
    customerBound: 'allowed',
    request: at(`/v2/inventory?productCode=${GTIN}&warehouse=WH-1`),
    names: [
      named('product', (code) => `/v2/inventory?productCode=${code}`, MISSING),
      named('warehouse', (code) => `/v2/inventory?warehouse=${code}`, MISSING),
      named('warehouse', (code) => `/v2/inventory?productCode=${GTIN}&warehouse=${code}`, MISSING),
    ],
  },
  {
    route: 'POST /v2/stock/adjustments',
    scope: 'inventory:write',
    customerBound: 'refused',
    request: () => adjust({}),
    names: [
      named('product', (productCode) => adjust({ productCode }), UNKNOWN_REFERENCE),
      named('warehouse', (warehouse) => adjust({ warehouse }), UNKNOWN_REFERENCE),
    ],
  },
  {
    route: 'POST /v2/stock/transfers',
    scope: 'inventory:write',
    customerBound: 'refused',
    request: () => move({}),
    names: [
      named('product', (productCode) => move({ productCode }), UNKNOWN_REFERENCE),
      named('warehouse', (from) => move({ from }), UNKNOWN_REFERENCE),
      named('warehouse', (to) => move({ from: 'WH-2', to }), UNKNOWN_REFERENCE),
      named('batch', (batchNo) => move({ batchNo }), UNKNOWN_REFERENCE),
    ],
  },
  {
    route: 'POST /v2/stock/holds',
    scope: 'inventory:write',
    customerBound: 'refused',
    request: () => block({}),
    names: [
      named('product', (productCode) => block({ productCode }), UNKNOWN_REFERENCE),
      named('warehouse', (warehouse) => block({ warehouse }), UNKNOWN_REFERENCE),
      named('batch', (batchNo) => block({ batchNo }), UNKNOWN_REFERENCE),
      named('serial', (serial) => post('/v2/stock/holds', { ...pieces, serials: [serial] }), NOT_IN_STOCK),
    ],
  },
  {
    route: 'GET /v2/stock/holds',
    scope: 'inventory:read',
    customerBound: 'refused',
    request: at('/v2/stock/holds'),
    names: [
      named('product', (code) => `/v2/stock/holds?productCode=${code}`, EMPTY),
      named('batch', (batchNo) => `/v2/stock/holds?batchNo=${batchNo}`, EMPTY),
    ],
  },
  {
    route: 'GET /v2/stock/holds/:holdId',
    scope: 'inventory:read',
    customerBound: 'refused',
    request: async (world) => ({ path: `/v2/stock/holds/${await world.newHold()}` }),
    names: [named('hold', (id) => `/v2/stock/holds/${id}`, MISSING)],
  },
  {
    route: 'POST /v2/stock/holds/:holdId/release',
    scope: 'inventory:write',
    customerBound: 'refused',
    request: async (world) => post(`/v2/stock/holds/${await world.newHold()}/release`, {}),
    names: [named('hold', (id) => post(`/v2/stock/holds/${id}/release`, { reason: 'passed' }), MISSING)],
  },
  {
    route: 'GET /v2/stock/movements',
    scope: 'inventory:read',
    customerBound: 'refused',
    request: at('/v2/stock/movements'),
    names: [
      named('product', (code) => `/v2/stock/movements?productCode=${code}`, EMPTY),
      named('warehouse', (code) => `/v2/stock/movements?warehouse=${code}`, EMPTY),
      named('batch', (batchNo) => `/v2/stock/movements?batchNo=${batchNo}`, EMPTY),
      named('serial', (serialNo) => `/v2/stock/movements?serialNo=${serialNo}`, EMPTY),
      named('hold', (id) => `/v2/stock/movements?documentId=${id}`, EMPTY),
    ],
  },
];

const receipts: readonly ExpectedRoute[] = [
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
];

/** A step of an order that is in the state the step asks for. */
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

const orders: readonly ExpectedRoute[] = [
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
  orderStep('approve', 'orders:approve', 'pending'),
  orderStep('reject', 'orders:approve', 'pending', { reason: 'no longer sold' }),
  orderStep('cancel', 'orders:write', 'approved'),
  orderStep('hold', 'orders:write', 'approved'),
  orderStep('release', 'orders:write', 'held'),
  orderStep('reserve', 'orders:write', 'short'),
  orderStep('close', 'orders:write', 'partial'),
];

/** A step of a dispatch that is in the state the step asks for. */
const dispatchStep = (
  action: string,
  state: Parameters<Documents['dispatch']>[0],
  body: object = {},
): ExpectedRoute => ({
  route: `POST /v2/dispatches/:dispatchId/${action}`,
  scope: 'dispatches:write',
  customerBound: 'refused',
  request: async ({ make }) => post(`/v2/dispatches/${await make.dispatch(state)}/${action}`, body),
  names: [
    named(
      'dispatch',
      (id) => post(`/v2/dispatches/${id}/${action}`, body),
      MISSING,
      (make) => make.dispatch(state),
    ),
  ],
});

const dispatches: readonly ExpectedRoute[] = [
  {
    route: 'GET /v2/dispatches',
    scope: 'dispatches:read',
    customerBound: 'allowed',
    request: at('/v2/dispatches'),
    names: [named('order', (id) => `/v2/dispatches?orderId=${id}`, EMPTY)],
  },
  {
    route: 'GET /v2/dispatches/:dispatchId',
    scope: 'dispatches:read',
    customerBound: 'allowed',
    request: ({ ours }) => ({ path: `/v2/dispatches/${ours.dispatch}` }),
    names: [named('dispatch', (id) => `/v2/dispatches/${id}`, MISSING)],
  },
  {
    route: 'POST /v2/dispatches',
    scope: 'dispatches:write',
    customerBound: 'refused',
    request: async ({ make }) => post('/v2/dispatches', { orderId: await make.order('approved') }),
    names: [
      named(
        'order',
        (orderId) => post('/v2/dispatches', { orderId }),
        UNKNOWN_REFERENCE,
        (make) => make.order('approved'),
      ),
    ],
  },
  dispatchStep('picks', 'picking', picks(2)),
  dispatchStep('recheck', 'rechecking', { result: 'pass' }),
  dispatchStep('delivery', 'dispatched', delivery),
  dispatchStep('cancel', 'rechecking'),
];

const events: readonly ExpectedRoute[] = [
  {
    route: 'GET /v2/events',
    scope: 'events:read',
    customerBound: 'allowed',
    request: at('/v2/events'),
    names: [],
  },
];

const administration: readonly ExpectedRoute[] = [
  {
    route: 'GET /v2/audit',
    scope: 'audit:read',
    customerBound: 'refused',
    request: at('/v2/audit'),
    names: [
      named('hold', (id) => `/v2/audit?entityId=${id}`, EMPTY),
      named('owner', (email) => `/v2/audit?actor=${encodeURIComponent(email)}`, EMPTY),
    ],
  },
  {
    route: 'GET /v2/audit/head',
    scope: 'audit:read',
    customerBound: 'refused',
    request: at('/v2/audit/head'),
    names: [],
  },
  {
    route: 'GET /v2/whoami',
    scope: null,
    customerBound: 'allowed',
    request: at('/v2/whoami'),
    names: [],
  },
];

/** Every route under `/v2` that asks for a credential. A route without a row, or a row without a route, fails the tests. */
export const expectedAnswers: readonly ExpectedRoute[] = [
  ...catalogue,
  ...stock,
  ...receipts,
  ...orders,
  ...dispatches,
  ...events,
  ...administration,
];

/** Everything else the server answers: without a credential, and with nothing of any organization in it. */
export const publicPaths: readonly string[] = [
  '/',
  '/docs/api',
  '/docs/api/',
  '/docs/api/*',
  '/docs/api/json',
  '/docs/api/static/index.html',
  '/docs/api/static/swagger-initializer.js',
  '/docs/api/yaml',
  '/healthz',
  '/metrics',
  '/readyz',
  '/v2/event-types',
  '/v2/openapi.json',
];
