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

const put = (pointId: string, part: object) =>
  post(`/v2/environment/points/${pointId}`, { name: 'Cold room', warehouse: 'WH-1', ...part });
const record = (pointId: string) =>
  post('/v2/environment/readings', {
    readings: [{ pointId, at: '2026-11-15T08:00:00Z', temperature: 5 }],
  });

export const environment: readonly ExpectedRoute[] = [
  {
    route: 'GET /v2/environment/points',
    scope: 'environment:read',
    customerBound: 'refused',
    request: at('/v2/environment/points'),
    names: [
      named('warehouse', (code) => `/v2/environment/points?warehouse=${code}`, EMPTY),
      named('zone', (code) => `/v2/environment/points?zone=${code}`, EMPTY),
    ],
  },
  {
    route: 'GET /v2/environment/points/:pointId',
    scope: 'environment:read',
    customerBound: 'refused',
    request: ({ ours }) => ({ path: `/v2/environment/points/${ours.point}` }),
    names: [named('point', (id) => `/v2/environment/points/${id}`, MISSING)],
  },
  {
    route: 'PUT /v2/environment/points/:pointId',
    scope: 'environment:write',
    customerBound: 'refused',
    request: () => put('OKAPI-SAME', {}),
    names: [
      named('spare', (id) => put(id, {}), CREATED),
      named('warehouse', (warehouse) => put('OKAPI-SAME', { warehouse }), UNKNOWN_REFERENCE),
      named(
        'zone',
        (zone, ours) => put('OKAPI-SAME', { warehouse: ours.zonedWarehouse, zone }),
        UNKNOWN_REFERENCE,
      ),
    ],
  },
  {
    route: 'PATCH /v2/environment/points/:pointId',
    scope: 'environment:write',
    customerBound: 'refused',
    request: ({ ours }) => post(`/v2/environment/points/${ours.point}`, { alarmDelaySeconds: 60 }),
    names: [
      named('point', (id) => post(`/v2/environment/points/${id}`, { alarmDelaySeconds: 60 }), MISSING),
      named(
        'warehouse',
        (warehouse, ours) => post(`/v2/environment/points/${ours.point}`, { warehouse, zone: null }),
        UNKNOWN_REFERENCE,
      ),
    ],
  },
  {
    route: 'GET /v2/environment/points/:pointId/history',
    scope: 'environment:read',
    customerBound: 'refused',
    request: ({ ours }) => ({ path: `/v2/environment/points/${ours.point}/history` }),
    names: [named('point', (id) => `/v2/environment/points/${id}/history`, MISSING)],
  },
  {
    route: 'POST /v2/environment/readings',
    scope: 'environment:write',
    customerBound: 'refused',
    request: ({ ours }) => record(ours.point),
    names: [named('point', record, UNKNOWN_REFERENCE)],
  },
  {
    route: 'GET /v2/environment/readings',
    scope: 'environment:read',
    customerBound: 'refused',
    request: ({ ours }) => ({ path: `/v2/environment/readings?pointId=${ours.point}` }),
    names: [named('point', (id) => `/v2/environment/readings?pointId=${id}`, EMPTY)],
  },
  {
    route: 'GET /v2/environment/alerts',
    scope: 'environment:read',
    customerBound: 'refused',
    request: at('/v2/environment/alerts'),
    names: [
      named('point', (id) => `/v2/environment/alerts?pointId=${id}`, EMPTY),
      named('warehouse', (code) => `/v2/environment/alerts?warehouse=${code}`, EMPTY),
    ],
  },
  {
    route: 'GET /v2/environment/alerts/:alertId',
    scope: 'environment:read',
    customerBound: 'refused',
    request: ({ ours }) => ({ path: `/v2/environment/alerts/${ours.alert}` }),
    names: [named('alert', (id) => `/v2/environment/alerts/${id}`, MISSING)],
  },
  {
    route: 'POST /v2/environment/alerts/:alertId/acknowledge',
    scope: 'environment:write',
    customerBound: 'refused',
    request: async ({ make }) =>
      post(`/v2/environment/alerts/${await make.alert()}/acknowledge`, { comment: 'door was open' }),
    names: [
      named(
        'alert',
        (id) => post(`/v2/environment/alerts/${id}/acknowledge`, { comment: 'door was open' }),
        MISSING,
        (make) => make.alert(),
      ),
    ],
  },
  {
    route: 'POST /v2/environment/alerts/:alertId/hold',
    scope: 'inventory:write',
    customerBound: 'refused',
    request: ({ ours }) => post(`/v2/environment/alerts/${ours.alert}/hold`, {}),
    names: [named('alert', (id) => post(`/v2/environment/alerts/${id}/hold`, {}), MISSING)],
  },
];
