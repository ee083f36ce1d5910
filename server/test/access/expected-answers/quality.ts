import { GTIN } from '../../harness/index.js';
import { at, EMPTY, type ExpectedRoute, MISSING, named, post, UNKNOWN_REFERENCE } from './expected-route.js';

const ENTRIES = '/v2/quality/nonconformities';
const DISPOSITIONS = '/v2/quality/dispositions';
const reason = 'OKAPI decision';
const goods = { productCode: GTIN, batchNo: 'LOT-1', warehouse: 'WH-1', quantity: 1, reason };
const enter = (part: object) => post(ENTRIES, { ...goods, ...part });
const propose = (part: object) => post(DISPOSITIONS, { kind: 'release', reason, ...part });

export const quality: readonly ExpectedRoute[] = [
  {
    route: `GET ${ENTRIES}`,
    scope: 'quality:read',
    customerBound: 'refused',
    request: at(`${ENTRIES}?limit=1`),
    names: [
      named('product', (code) => `${ENTRIES}?productCode=${code}`, EMPTY),
      named('batch', (batchNo) => `${ENTRIES}?batchNo=${batchNo}`, EMPTY),
      named('warehouse', (code) => `${ENTRIES}?warehouse=${code}`, EMPTY),
    ],
  },
  {
    route: `GET ${ENTRIES}/:ncId`,
    scope: 'quality:read',
    customerBound: 'refused',
    request: ({ ours }) => ({ path: `${ENTRIES}/${ours.entry}` }),
    names: [named('entry', (id) => `${ENTRIES}/${id}`, MISSING)],
  },
  {
    route: 'GET /exports/quality/nonconformities.csv',
    file: true,
    scope: 'quality:read',
    customerBound: 'refused',
    request: at('/exports/quality/nonconformities.csv'),
    names: [],
  },
  {
    route: `POST ${ENTRIES}`,
    scope: 'quality:write',
    customerBound: 'refused',
    request: () => enter({}),
    names: [
      named(
        'product',
        (productCode, { batch: batchNo }) => enter({ productCode, batchNo }),
        UNKNOWN_REFERENCE,
      ),
      named('batch', (batchNo) => enter({ batchNo }), UNKNOWN_REFERENCE),
      named('warehouse', (warehouse) => enter({ warehouse }), UNKNOWN_REFERENCE),
    ],
  },
  {
    route: `GET ${DISPOSITIONS}`,
    scope: 'quality:read',
    customerBound: 'refused',
    request: at(`${DISPOSITIONS}?limit=1`),
    names: [
      named('product', (code) => `${DISPOSITIONS}?productCode=${code}`, EMPTY),
      named('batch', (batchNo) => `${DISPOSITIONS}?batchNo=${batchNo}`, EMPTY),
    ],
  },
  {
    route: `GET ${DISPOSITIONS}/:dispositionId`,
    scope: 'quality:read',
    customerBound: 'refused',
    request: ({ ours }) => ({ path: `${DISPOSITIONS}/${ours.disposition}` }),
    names: [named('disposition', (id) => `${DISPOSITIONS}/${id}`, MISSING)],
  },
  {
    route: 'GET /exports/quality/dispositions.csv',
    file: true,
    scope: 'quality:read',
    customerBound: 'refused',
    request: at('/exports/quality/dispositions.csv'),
    names: [],
  },
  {
    route: `POST ${DISPOSITIONS}`,
    scope: 'quality:write',
    customerBound: 'refused',
    request: async ({ newHold }) => propose({ holdIds: [await newHold('quality')] }),
    names: [
      named(
        'hold',
        (id) => propose({ holdIds: [id] }),
        UNKNOWN_REFERENCE,
        (make) => make.hold(),
      ),
      named(
        'entry',
        (id) => propose({ lines: [{ ncId: id }] }),
        UNKNOWN_REFERENCE,
        (make) => make.entry(),
      ),
      named(
        'partner',
        (supplierCode, { heldForSupplier }) =>
          propose({
            kind: 'return_to_supplier',
            lines: [{ holdId: heldForSupplier, quantity: 1 }],
            supplierCode,
          }),
        UNKNOWN_REFERENCE,
      ),
    ],
  },
  {
    route: `POST ${DISPOSITIONS}/:dispositionId/approve`,
    scope: 'quality:write',
    customerBound: 'refused',
    request: async ({ make }) => post(`${DISPOSITIONS}/${await make.disposition('proposed')}/approve`, {}),
    names: [
      named(
        'disposition',
        (id) => post(`${DISPOSITIONS}/${id}/approve`, {}),
        MISSING,
        (make) => make.disposition('proposed'),
      ),
    ],
  },
  {
    route: `POST ${DISPOSITIONS}/:dispositionId/reject`,
    scope: 'quality:write',
    customerBound: 'refused',
    request: async ({ make }) =>
      post(`${DISPOSITIONS}/${await make.disposition('proposed')}/reject`, { reason }),
    names: [
      named(
        'disposition',
        (id) => post(`${DISPOSITIONS}/${id}/reject`, { reason }),
        MISSING,
        (make) => make.disposition('proposed'),
      ),
    ],
  },
  {
    route: `POST ${DISPOSITIONS}/:dispositionId/execute`,
    scope: 'quality:write',
    customerBound: 'refused',
    request: async ({ make }) =>
      post(`${DISPOSITIONS}/${await make.disposition('approved')}/execute`, { witness: 'OKAPI witness' }),
    names: [
      named(
        'disposition',
        (id) => post(`${DISPOSITIONS}/${id}/execute`, { witness: 'OKAPI witness' }),
        MISSING,
        (make) => make.disposition('approved'),
      ),
    ],
  },
];
