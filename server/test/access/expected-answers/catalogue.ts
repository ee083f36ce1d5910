import { GTIN } from '../../harness/index.js';
import {
  at,
  CREATED,
  EMPTY,
  type ExpectedRoute,
  MISSING,
  named,
  UNKNOWN_REFERENCE,
} from './expected-route.js';

export const catalogue: readonly ExpectedRoute[] = [
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
    route: 'PATCH /v2/products/:id',
    scope: 'products:write',
    customerBound: 'refused',
    request: () => ({ path: `/v2/products/${GTIN}`, body: { unit: 'piece' } }),
    names: [
      named('product', (code) => ({ path: `/v2/products/${code}`, body: { unit: 'piece' } }), MISSING),
      named('productId', (id) => ({ path: `/v2/products/${id}`, body: { unit: 'piece' } }), MISSING),
      named(
        'partner',
        (supplierCode) => ({ path: `/v2/products/${GTIN}`, body: { supplierCode } }),
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
    route: 'PATCH /v2/partners/:code',
    scope: 'products:write',
    customerBound: 'refused',
    request: () => ({ path: '/v2/partners/SUP-1', body: { contact: { phone: '1' } } }),
    names: [
      named(
        'partner',
        (code) => ({ path: `/v2/partners/${code}`, body: { contact: { phone: '1' } } }),
        MISSING,
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
    names: [
      named('spare', (code) => ({ path: `/v2/warehouses/${code}`, body: { name: 'Spare' } }), CREATED),
      named(
        'partner',
        (customerCode) => ({
          path: '/v2/warehouses/CABINET',
          body: { name: 'Cabinet', kind: 'consignment', customerCode },
        }),
        UNKNOWN_REFERENCE,
      ),
    ],
  },
  {
    route: 'PATCH /v2/warehouses/:code',
    scope: 'products:write',
    customerBound: 'refused',
    request: () => ({ path: '/v2/warehouses/WH-2', body: { address: 'Harbour' } }),
    names: [
      named(
        'warehouse',
        (code) => ({ path: `/v2/warehouses/${code}`, body: { address: 'Harbour' } }),
        MISSING,
      ),
    ],
  },
];
