import { GTIN } from '../../harness/index.js';
import { at, type ExpectedRoute, MISSING, named } from './expected-route.js';

const CODE = encodeURIComponent(`(01)${GTIN}(10)LOT-1`);
/** Both organizations have the product; the batches are each their own. */
const ofBatch = (batchNo: string) => encodeURIComponent(`(01)${GTIN}(10)${batchNo}`);
const facts = { scope: 'udi:read', customerBound: 'allowed' } as const;

export const tracing: readonly ExpectedRoute[] = [
  { ...facts, route: 'GET /v2/udi/read', request: at(`/v2/udi/read?code=${CODE}`), names: [] },
  {
    ...facts,
    route: 'GET /v2/udi',
    request: at(`/v2/udi?code=${CODE}`),
    names: [named('batch', (batchNo) => `/v2/udi?code=${ofBatch(batchNo)}`, MISSING)],
  },
  {
    ...facts,
    route: 'GET /v2/udi/*',
    request: at(`/v2/udi/${CODE}`),
    names: [
      named('batch', (batchNo) => `/v2/udi/${ofBatch(batchNo)}`, MISSING),
      named('batch', (batchNo) => `/v2/udi/${ofBatch(batchNo)}?format=epcis`, MISSING),
    ],
  },
];
