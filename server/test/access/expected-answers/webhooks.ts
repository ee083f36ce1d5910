import { deliveryIdOf } from '../../../src/webhooks/webhook.js';
import { at, EMPTY, type ExpectedRoute, MISSING, named, post, type Request } from './expected-route.js';

const PATH = '/v2/webhooks';
/** Nothing is sent there: the name does not exist. */
const webhook = { callbackUrl: 'https://partner.example/hooks', eventTypes: ['order.status_changed'] };
const SPAN = 'from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z';

/** About one webhook: the rest of its path, and the body. */
const about = (
  method: 'GET' | 'POST' | 'PATCH',
  rest: string,
  body?: object,
): Pick<ExpectedRoute, 'route' | 'scope' | 'customerBound' | 'request' | 'names'> => {
  const request = (id: string): Request => ({ path: `${PATH}/${id}${rest}`, ...(body ? { body } : {}) });
  return {
    route: `${method} /v2/webhooks/:webhookId${rest.replace(/\?.*/, '') as ''}`,
    scope: method === 'GET' ? 'webhooks:read' : 'webhooks:write',
    customerBound: 'allowed',
    request: ({ ours }) => request(ours.webhook),
    names: [named('webhook', request, MISSING)],
  };
};

/** About one push of a webhook. The id of a push is derived from those of the webhook and the event. */
const aboutPush = (method: 'GET' | 'POST', rest: string, body?: object): ExpectedRoute => {
  const request = (webhookId: string, deliveryId: string): Request => ({
    path: `${PATH}/${webhookId}/deliveries/${deliveryId}${rest}`,
    ...(body ? { body } : {}),
  });
  return {
    route: `${method} /v2/webhooks/:webhookId/deliveries/:deliveryId${rest as ''}`,
    scope: method === 'GET' ? 'webhooks:read' : 'webhooks:write',
    customerBound: 'allowed',
    request: ({ ours }) => request(ours.webhook, ours.delivery),
    names: [
      named('webhook', (id, ours) => request(id, ours.delivery), MISSING),
      named('delivery', (id, ours) => request(ours.webhook, id), MISSING),
      named('event', (id, ours) => request(ours.webhook, deliveryIdOf(ours.webhook, id)), MISSING),
    ],
  };
};

const log = about('GET', '/deliveries');

export const webhooks: readonly ExpectedRoute[] = [
  {
    route: 'GET /v2/webhooks',
    scope: 'webhooks:read',
    customerBound: 'allowed',
    request: at(PATH),
    names: [],
  },
  {
    route: 'POST /v2/webhooks',
    scope: 'webhooks:write',
    alsoNeeds: ['orders:read'],
    customerBound: 'allowed',
    request: () => post(PATH, webhook),
    names: [],
  },
  about('GET', ''),
  about('PATCH', '', { description: 'Changed' }),
  {
    route: 'DELETE /v2/webhooks/:webhookId',
    scope: 'webhooks:write',
    customerBound: 'allowed',
    request: async ({ make }) => ({ path: `${PATH}/${await make.webhook()}` }),
    names: [
      named(
        'webhook',
        (id) => `${PATH}/${id}`,
        MISSING,
        (make) => make.webhook(),
      ),
    ],
  },
  { ...about('POST', '/enable', {}), alsoNeeds: ['orders:read'] },
  {
    // The caller becomes the owner, and some callers end.
    ...about('POST', '/adopt', {}),
    alsoNeeds: ['orders:read'],
    request: async ({ make }) => post(`${PATH}/${await make.webhook()}/adopt`, {}),
  },
  { ...about('POST', '/test', {}), alsoNeeds: ['orders:read'] },
  { ...about('POST', '/rotate-secret', { overlapSeconds: 60 }), alsoNeeds: ['orders:read'] },
  { ...about('POST', '/recover', { since: '2026-01-01T00:00:00Z' }), alsoNeeds: ['orders:read'] },
  about('GET', `/completeness?${SPAN}`),
  about('GET', '/health'),
  {
    ...log,
    names: [
      ...log.names,
      named('event', (id, ours) => `${PATH}/${ours.webhook}/deliveries?eventId=${id}`, EMPTY),
    ],
  },
  { ...aboutPush('GET', ''), alsoNeeds: ['orders:read'] },
  { ...aboutPush('POST', '/redeliver', {}), alsoNeeds: ['orders:read'] },
];
