import {
  at,
  CREATED,
  EMPTY,
  type ExpectedRoute,
  MISSING,
  named,
  post,
  UNKNOWN_REFERENCE,
} from './expected-route.js';

const BY_ID = '/v2/recalls/:recallId';
const reason = { reason: 'OKAPI decision' };

/** A new one each time, because a number can be used only once. */
let opened = 0;
const open = (part: object) =>
  post('/v2/recalls', {
    recallNo: `OKAPI-${++opened}`,
    productCode: 'A-SECOND',
    class: 'III',
    ...reason,
    ...part,
  });

const answer = (recallId: string, customerCode: string) =>
  post(`/v2/recalls/${recallId}/consignees/${customerCode}/answer`, {
    ...{ onHand: 0, used: 0, returned: 0, destroyed: 0, notFound: 0 },
  });

export const recalls: readonly ExpectedRoute[] = [
  {
    route: 'GET /v2/recalls',
    scope: 'recalls:read',
    customerBound: 'allowed',
    request: at('/v2/recalls?limit=1'),
    names: [
      named('recallNo', (no) => `/v2/recalls?recallNo=${no}`, EMPTY),
      named('product', (code) => `/v2/recalls?productCode=${code}`, EMPTY),
    ],
  },
  {
    route: `GET ${BY_ID}`,
    scope: 'recalls:read',
    customerBound: 'allowed',
    // Our partner got some of these goods.
    request: ({ ours }) => ({ path: `/v2/recalls/${ours.openRecall}` }),
    names: [named('recall', (id) => `/v2/recalls/${id}`, MISSING)],
  },
  {
    route: `GET ${BY_ID}/effectiveness`,
    scope: 'recalls:read',
    customerBound: 'refused',
    request: ({ ours }) => ({ path: `/v2/recalls/${ours.recall}/effectiveness` }),
    names: [named('recall', (id) => `/v2/recalls/${id}/effectiveness`, MISSING)],
  },
  {
    route: 'GET /exports/recalls/:recallId.csv',
    file: true,
    scope: 'recalls:read',
    customerBound: 'refused',
    request: ({ ours }) => ({ path: `/exports/recalls/${ours.recall}.csv` }),
    names: [named('recall', (id) => `/exports/recalls/${id}.csv`, MISSING)],
  },
  {
    route: 'POST /v2/recalls',
    scope: 'recalls:write',
    customerBound: 'refused',
    request: () => open({}),
    names: [
      named('spare', (recallNo) => open({ recallNo }), CREATED),
      named('product', (productCode) => open({ productCode, batchNos: ['LOT-OLD'] }), UNKNOWN_REFERENCE),
      named(
        'batch',
        (batchNo, ours) => open({ productCode: ours.product, batchNos: [batchNo] }),
        UNKNOWN_REFERENCE,
      ),
      named('serial', (serialNo) => open({ productCode: 'PUMP-1', serials: [serialNo] }), UNKNOWN_REFERENCE),
    ],
  },
  {
    route: `POST ${BY_ID}/acknowledgements`,
    scope: 'recalls:write',
    customerBound: 'refused',
    request: async ({ make }) =>
      post(`/v2/recalls/${await make.recall()}/acknowledgements`, { customerCode: 'HOSP-1' }),
    names: [
      named(
        'recall',
        (id) => post(`/v2/recalls/${id}/acknowledgements`, { customerCode: 'HOSP-1' }),
        MISSING,
        (make) => make.recall(),
      ),
      named(
        'partner',
        (customerCode, ours) => post(`/v2/recalls/${ours.openRecall}/acknowledgements`, { customerCode }),
        UNKNOWN_REFERENCE,
      ),
    ],
  },
  {
    route: `POST ${BY_ID}/consignees/:customerCode/answer`,
    scope: 'recalls:write',
    customerBound: 'allowed',
    request: ({ ours }) => answer(ours.openRecall, ours.partner),
    names: [
      named(
        'recall',
        (id) => answer(id, 'HOSP-1'),
        MISSING,
        (make) => make.recall(),
      ),
      named('partner', (customerCode, ours) => answer(ours.openRecall, customerCode), MISSING),
    ],
  },
  {
    route: `POST ${BY_ID}/close`,
    scope: 'recalls:write',
    customerBound: 'refused',
    request: async ({ make }) => post(`/v2/recalls/${await make.settledRecall()}/close`, reason),
    names: [
      named(
        'recall',
        (id) => post(`/v2/recalls/${id}/close`, reason),
        MISSING,
        (make) => make.settledRecall(),
      ),
    ],
  },
];
