import type { SCOPES } from '../../src/access/index.js';
import { GTIN } from '../harness/index.js';
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
): Naming => ({
  kind,
  ifNotOurs,
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
export const expectedAnswers: readonly ExpectedRoute[] = [...catalogue, ...stock, ...administration];

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
  '/v2/openapi.json',
];
