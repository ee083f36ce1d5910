import type { Codes, Makes } from '../world.js';
import {
  at,
  type ExpectedRoute,
  MISSING,
  named,
  post,
  type Request,
  UNKNOWN_REFERENCE,
} from './expected-route.js';

const reads = { scope: 'settings:read', customerBound: 'refused' } as const;
const writes = { scope: 'settings:write', customerBound: 'refused' } as const;
const people = { ...writes, console: 'only' } as const;
const credentials = { ...people, stepUp: true } as const;

/** Readable with `settings:read`. */
const shown = (path: `/v2/${string}`): ExpectedRoute => ({
  ...reads,
  route: `GET ${path}`,
  request: at(path),
  names: [],
});

const KEYS = '/v2/settings/keys';
const CLIENTS = '/v2/settings/clients';
const USERS = '/v2/settings/users';
const GRANTS = '/v2/settings/grants';
const PARAMETERS = {
  key: `${KEYS}/:keyId`,
  client: `${CLIENTS}/:clientId`,
  user: `${USERS}/:userId`,
  grant: `${GRANTS}/:grantId`,
  sandbox: '/v2/sandboxes/:sandboxId',
} as const satisfies Partial<Record<keyof Codes, string>>;

/** A request about one record; a new one each time if the request succeeds only once. */
function about(
  kind: keyof typeof PARAMETERS,
  facts: typeof reads | typeof writes | typeof people | typeof credentials,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  rest: string,
  body?: object,
  fresh?: (make: Makes) => Promise<string>,
): ExpectedRoute {
  const path = PARAMETERS[kind];
  const request = (id: string): Request => ({
    path: `${path.replace(/:.*/, id)}${rest}`,
    ...(body ? { body } : {}),
  });
  return {
    ...facts,
    route: `${method} ${path}${rest as ''}`,
    request: async ({ ours, make }) => request(fresh ? await fresh(make) : ours[kind]),
    names: [named(kind, request, MISSING, fresh)],
  };
}

const newKey = (part: object) => post(KEYS, { name: 'OKAPI erp', scopes: ['products:read'], ...part });
const keys: readonly ExpectedRoute[] = [
  shown(KEYS),
  about('key', reads, 'GET', ''),
  {
    ...credentials,
    route: `POST ${KEYS}`,
    request: () => newKey({}),
    names: [named('partner', (customerCode) => newKey({ customerCode }), UNKNOWN_REFERENCE)],
  },
  about('key', credentials, 'PATCH', '', { name: 'OKAPI renamed' }),
  about('key', credentials, 'POST', '/adopt', {}, (make) => make.disabledKey()),
  about('key', credentials, 'POST', '/rotate', { overlapSeconds: 60 }),
  about('key', writes, 'POST', '/revoke', {}, (make) => make.key()),
];

const newClient = (part: object) => post(CLIENTS, { name: 'OKAPI crm', scopes: ['orders:read'], ...part });
const clients: readonly ExpectedRoute[] = [
  shown(CLIENTS),
  about('client', reads, 'GET', ''),
  {
    ...credentials,
    route: `POST ${CLIENTS}`,
    request: () => newClient({}),
    names: [named('partner', (customerCode) => newClient({ customerCode }), UNKNOWN_REFERENCE)],
  },
  about('client', credentials, 'PATCH', '', { name: 'OKAPI renamed' }),
  about('client', credentials, 'POST', '/adopt', {}, (make) => make.disabledClient()),
  about('client', credentials, 'POST', '/rotate-secret', { overlapSeconds: 60 }),
  about('client', writes, 'POST', '/revoke', {}, (make) => make.client()),
];

/** A new address each time, because nobody can be invited twice. */
let invited = 0;
const users: readonly ExpectedRoute[] = [
  shown(USERS),
  about('user', reads, 'GET', ''),
  {
    ...people,
    route: `POST ${USERS}`,
    request: () => post(USERS, { email: `invited-${++invited}@okapi.example`, role: 'viewer' }),
    names: [],
  },
  about('user', people, 'POST', '/invitation', {}, (make) => make.invited()),
  about('user', people, 'PATCH', '', { role: 'viewer' }),
  about('user', people, 'POST', '/reset-second-factor', {}, (make) => make.withSecondFactor()),
  about('user', people, 'DELETE', '', undefined, (make) => make.person()),
];

/** None of these credentials is one of a sandbox. */
const inside = (path: `/v2/sandbox/${string}`, body: object): ExpectedRoute => ({
  ...writes,
  route: `POST ${path}`,
  request: () => post(path, body),
  letIn: ['not_a_sandbox'],
  names: [],
});
const sandboxes: readonly ExpectedRoute[] = [
  shown('/v2/sandboxes'),
  {
    ...writes,
    route: 'POST /v2/sandboxes',
    request: () => post('/v2/sandboxes', { name: 'OKAPI tests', data: 'empty' }),
    letIn: ['too_many_sandboxes'],
    names: [],
  },
  about('sandbox', reads, 'GET', ''),
  about('sandbox', writes, 'POST', '/keys', {}),
  about('sandbox', writes, 'DELETE', '', undefined, (make) => make.sandbox()),
  inside('/v2/sandbox/clock', { advance: 'P1D' }),
  inside('/v2/sandbox/trigger', { eventType: 'expiry.warning' }),
];

export const settings: readonly ExpectedRoute[] = [
  shown('/v2/settings'),
  {
    ...writes,
    route: 'PATCH /v2/settings',
    request: () => ({ path: '/v2/settings', body: { certificateGate: 'refuse' } }),
    names: [],
  },
  shown('/v2/settings/roles'),
  shown('/v2/settings/scopes'),
  ...users,
  ...keys,
  ...clients,
  ...sandboxes,
  shown(GRANTS),
  about('grant', writes, 'DELETE', '', undefined, (make) => make.grant()),
];
