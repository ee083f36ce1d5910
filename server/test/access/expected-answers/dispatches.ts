import { type Documents, picks } from '../documents.js';
import { at, EMPTY, type ExpectedRoute, MISSING, named, post, UNKNOWN_REFERENCE } from './expected-route.js';

const delivery = { receivedBy: 'Ward 3', receivedAt: '2026-11-15T10:00:00Z' };

/** A step of a dispatch that is in the required status. */
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

export const dispatches: readonly ExpectedRoute[] = [
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
