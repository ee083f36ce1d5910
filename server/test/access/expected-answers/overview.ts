import { at, EMPTY, type ExpectedRoute, MISSING, named } from './expected-route.js';

const USAGE = '/v2/settings/usage';

/** Overview, search, live stream, usage and request log. */
export const overview: readonly ExpectedRoute[] = [
  {
    // Each part needs a scope of its own, and is left out without it.
    route: 'GET /v2/overview',
    scope: null,
    customerBound: 'refused',
    request: at('/v2/overview'),
    names: [],
  },
  {
    // Each kind of record needs a scope of its own, and is left out without it.
    route: 'GET /v2/search',
    scope: null,
    customerBound: 'refused',
    request: at('/v2/search?q=a'),
    names: [named('order', (id) => `/v2/search?q=${id}`, EMPTY)],
  },
  {
    route: 'GET /stream',
    file: true,
    scope: null,
    customerBound: 'refused',
    request: at('/stream'),
    names: [],
  },
  {
    route: `GET ${USAGE}`,
    scope: 'settings:read',
    customerBound: 'refused',
    request: at(USAGE),
    names: [named('key', (id) => `${USAGE}?credentialId=${id}`, MISSING)],
  },
  {
    route: `GET ${USAGE}/summary`,
    scope: 'settings:read',
    customerBound: 'refused',
    request: at(`${USAGE}/summary`),
    names: [],
  },
  {
    // Its own requests; with `settings:read`, those of all credentials.
    route: 'GET /v2/requests',
    scope: null,
    customerBound: 'allowed',
    request: at('/v2/requests'),
    names: [named('key', (id) => `/v2/requests?credentialId=${id}`, MISSING)],
  },
];
