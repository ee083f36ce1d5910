import { addDays } from '../../../src/platform/calendar/index.js';
import { GTIN } from '../../harness/index.js';
import {
  type Answered,
  at,
  EMPTY,
  type ExpectedRoute,
  MISSING,
  named,
  post,
  UNKNOWN_REFERENCE,
} from './expected-route.js';

const NOT_IN_STOCK: Answered = { status: 400, code: 1001, reason: 'serial_not_in_stock' };
const adjustment = {
  productCode: GTIN,
  warehouse: 'WH-1',
  batchNo: 'LOT-1',
  quantityDelta: 1,
  reason: 'count',
};
const transfer = { productCode: GTIN, batchNo: 'LOT-1', from: 'WH-1', to: 'WH-2', quantity: 1 };
const hold = { productCode: GTIN, batchNo: 'LOT-1', warehouse: 'WH-1', quantity: 1, reason: 'inspection' };
const serializedHold = { productCode: 'PUMP-1', batchNo: 'LOT-1', reason: 'inspection' };
const adjust = (part: object) => post('/v2/stock/adjustments', { ...adjustment, ...part });
const move = (part: object) => post('/v2/stock/transfers', { ...transfer, ...part });
// Another date each time: the same again would change nothing.
let corrections = 0;
const correct = (productCode: string, batchNo: string) =>
  post(`/v2/stock/batches/${productCode}/${batchNo}/corrections`, {
    manufactureDate: addDays('2020-01-01', ++corrections),
    reason: 'typing error',
  });
const block = (part: object) => post('/v2/stock/holds', { ...hold, ...part });

export const stock: readonly ExpectedRoute[] = [
  {
    route: 'GET /v2/inventory',
    scope: 'inventory:read',
    customerBound: 'allowed',
    request: at(`/v2/inventory?productCode=${GTIN}&warehouse=WH-1`),
    names: [
      named('product', (code) => `/v2/inventory?productCode=${code}`, MISSING),
      named('product', (code) => `/v2/inventory?productCode=${code}&productCode=NONE`, EMPTY),
      named('warehouse', (code) => `/v2/inventory?warehouse=${code}`, MISSING),
      named('warehouse', (code) => `/v2/inventory?productCode=${GTIN}&warehouse=${code}`, MISSING),
      named(
        'warehouse',
        (code) => `/v2/inventory?productCode=${GTIN}&productCode=NONE&warehouse=${code}`,
        MISSING,
      ),
    ],
  },
  {
    route: 'GET /v2/inventory/changes',
    scope: 'inventory:read',
    customerBound: 'allowed',
    request: at('/v2/inventory/changes'),
    names: [named('warehouse', (code) => `/v2/inventory/changes?warehouse=${code}`, MISSING)],
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
      named(
        'hold',
        (holdId, { product, batch }) => move({ productCode: product, batchNo: batch, holdId }),
        UNKNOWN_REFERENCE,
      ),
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
      named(
        'serial',
        (serial) => post('/v2/stock/holds', { ...serializedHold, serials: [serial] }),
        NOT_IN_STOCK,
      ),
    ],
  },
  {
    route: 'POST /v2/stock/batches/:productCode/:batchNo/corrections',
    scope: 'quality:write',
    customerBound: 'refused',
    request: () => correct(GTIN, 'LOT-1'),
    names: [
      named('product', (code, { batch }) => correct(code, batch), MISSING),
      named('batch', (batchNo, { product }) => correct(product, batchNo), MISSING),
    ],
  },
  {
    route: 'GET /v2/stock/expiring',
    scope: 'inventory:read',
    customerBound: 'refused',
    request: at('/v2/stock/expiring'),
    names: [
      named('product', (code) => `/v2/stock/expiring?productCode=${code}`, EMPTY),
      named('warehouse', (code) => `/v2/stock/expiring?warehouse=${code}`, EMPTY),
    ],
  },
  {
    route: 'GET /v2/stock/batches',
    scope: 'inventory:read',
    customerBound: 'refused',
    request: at('/v2/stock/batches'),
    names: [
      named('product', (code) => `/v2/stock/batches?productCode=${code}`, EMPTY),
      named('warehouse', (code) => `/v2/stock/batches?warehouse=${code}`, EMPTY),
      named('batch', (batchNo) => `/v2/stock/batches?batchNo=${batchNo}`, EMPTY),
      named(
        'batch',
        (batchNo, { product }) => `/v2/stock/batches?productCode=${product}&batchNo=${batchNo}`,
        EMPTY,
      ),
    ],
  },
  {
    route: 'GET /v2/stock/batches/:productCode/:batchNo',
    scope: 'inventory:read',
    customerBound: 'refused',
    request: at(`/v2/stock/batches/${GTIN}/LOT-1`),
    names: [
      named('product', (code, { batch }) => `/v2/stock/batches/${code}/${batch}`, MISSING),
      named('batch', (batchNo, { product }) => `/v2/stock/batches/${product}/${batchNo}`, MISSING),
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
    request: async (world) => ({ path: `/v2/stock/holds/${await world.newHold('quality')}` }),
    names: [named('hold', (id) => `/v2/stock/holds/${id}`, MISSING)],
  },
  {
    route: 'POST /v2/stock/holds/:holdId/release',
    scope: 'inventory:write',
    customerBound: 'refused',
    request: async (world) => post(`/v2/stock/holds/${await world.newHold('logistics')}/release`, {}),
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
