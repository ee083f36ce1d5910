import { catalogue } from './catalogue.js';
import { certificateFiles, certificates } from './certificates.js';
import { console } from './console.js';
import { dispatches } from './dispatches.js';
import { environment } from './environment.js';
import { at, EMPTY, type ExpectedRoute, named } from './expected-route.js';
import { imports } from './imports.js';
import { labels, printerLabels } from './labels.js';
import { orders } from './orders.js';
import { overview } from './overview.js';
import { quality } from './quality.js';
import { recalls } from './recalls.js';
import { receipts } from './receipts.js';
import { settings } from './settings.js';
import { stock } from './stock.js';
import { tracing } from './tracing.js';
import { webhooks } from './webhooks.js';

export type { ExpectedRoute, Request, Scope } from './expected-route.js';

const events: readonly ExpectedRoute[] = [
  {
    route: 'GET /v2/events',
    scope: 'events:read',
    customerBound: 'allowed',
    request: at('/v2/events'),
    names: [],
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
    route: 'GET /v2/audit/verification',
    scope: 'audit:read',
    customerBound: 'refused',
    request: at('/v2/audit/verification'),
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

/** Every route under `/v2`, and the files. A route without a row, or a row without a route, fails the tests. */
export const expectedAnswers: readonly ExpectedRoute[] = [
  ...console,
  ...catalogue,
  ...stock,
  ...receipts,
  ...orders,
  ...dispatches,
  ...quality,
  ...recalls,
  ...environment,
  ...certificates,
  ...imports,
  ...labels,
  ...tracing,
  ...events,
  ...webhooks,
  ...settings,
  ...administration,
  ...overview,
  ...certificateFiles,
  ...printerLabels,
];

/** All other paths of the server: public, and without data of any organization. */
export const publicPaths: readonly string[] = [
  'GET /',
  'GET /*',
  'GET /docs',
  'GET /docs/*',
  'GET /docs/api',
  'GET /docs/api/',
  'GET /docs/api/*',
  'GET /docs/api/json',
  'GET /docs/api/static/index.html',
  'GET /docs/api/static/swagger-initializer.js',
  'GET /docs/api/static/theme/lotward.css',
  'GET /docs/api/yaml',
  'GET /docs/search',
  'GET /healthz',
  'GET /metrics',
  'GET /readyz',
  'GET /v2/event-types',
  'GET /v2/openapi.json',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/openid-configuration',
  'GET /oauth/authorize',
  'POST /oauth/authorize',
  'GET /oauth/authorize/:uid',
  'GET /oauth/interaction/:uid',
  'POST /oauth/interaction/:uid',
  'POST /oauth/introspect',
  'GET /oauth/jwks',
  'POST /oauth/revoke',
  'POST /oauth/token',
  'GET /sign-in',
  'POST /sign-in',
];
