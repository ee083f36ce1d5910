import { at, type ExpectedRoute, MISSING, named, post } from './expected-route.js';

/** For any signed-in user, about their own account. */
const own = { scope: null, customerBound: 'refused', console: 'only', names: [] } as const;
const unfinished = { ...own, console: 'unfinished' } as const;
const open = { scope: null, customerBound: 'refused', open: true, names: [] } as const;
const password = 'not the password of anybody';
const code = '000000';

const signingIn: readonly ExpectedRoute[] = [
  {
    ...open,
    route: 'POST /v2/session',
    request: () => post('/v2/session', { email: 'nobody@okapi.example', password }),
    letIn: ['sign_in_refused', 'sign_in_delayed'],
  },
  { ...unfinished, route: 'GET /v2/session', request: at('/v2/session') },
  { ...unfinished, route: 'DELETE /v2/session', request: at('/v2/session'), endsCredential: true },
  { ...own, route: 'PATCH /v2/session', request: () => post('/v2/session', { dailyDigest: true }) },
  {
    ...unfinished,
    route: 'POST /v2/session/second-factor',
    request: () => post('/v2/session/second-factor', { code }),
    letIn: ['code_refused', 'sign_in_delayed', 'second_factor_not_due'],
  },
  {
    ...own,
    route: 'POST /v2/session/step-up',
    request: () => post('/v2/session/step-up', { code }),
    letIn: ['no_second_factor', 'code_refused', 'sign_in_delayed'],
  },
  {
    ...unfinished,
    route: 'POST /v2/session/totp',
    request: () => post('/v2/session/totp', { password }),
    letIn: ['password_wrong', 'second_factor_not_due'],
  },
  {
    ...unfinished,
    route: 'POST /v2/session/totp/confirm',
    request: () => post('/v2/session/totp/confirm', { code }),
    letIn: ['code_refused', 'sign_in_delayed', 'second_factor_not_due'],
  },
  {
    ...own,
    route: 'DELETE /v2/session/totp',
    request: () => post('/v2/session/totp', { password }),
    letIn: ['password_wrong'],
  },
  {
    ...own,
    route: 'POST /v2/session/recovery-codes',
    request: () => post('/v2/session/recovery-codes', { password }),
    letIn: ['password_wrong'],
  },
  {
    ...own,
    route: 'POST /v2/session/password',
    request: () =>
      post('/v2/session/password', { currentPassword: password, newPassword: 'quite another one' }),
    letIn: ['password_wrong'],
  },
];

const sessions: readonly ExpectedRoute[] = [
  {
    ...own,
    route: 'GET /v2/settings/people-names',
    request: at('/v2/settings/people-names'),
  },
  { ...own, route: 'GET /v2/sessions', request: at('/v2/sessions') },
  { ...own, route: 'DELETE /v2/sessions', request: at('/v2/sessions') },
  {
    ...own,
    route: 'DELETE /v2/sessions/:sessionId',
    request: async ({ make }) => ({ path: `/v2/sessions/${await make.session()}` }),
    letIn: ['not there'],
    names: [
      named(
        'session',
        (id) => `/v2/sessions/${id}`,
        MISSING,
        (make) => make.session(),
      ),
    ],
  },
];

const apps = '/v2/session/connected-apps';
const credentials = '/v2/session/credentials';
/** Only the administrator whom the makers know has these. */
const inOwnName: readonly ExpectedRoute[] = [
  { ...own, route: `GET ${apps}`, request: at(apps) },
  {
    ...own,
    route: `DELETE ${apps}/:grantId`,
    request: async ({ make }) => ({ path: `${apps}/${await make.grant()}` }),
    letIn: ['not there'],
    names: [
      named(
        'grant',
        (id) => `${apps}/${id}`,
        MISSING,
        (make) => make.grant(),
      ),
    ],
  },
  { ...own, route: `GET ${credentials}`, request: at(credentials) },
  {
    ...own,
    route: `POST ${credentials}/:credentialId/confirm`,
    request: async ({ make }) => post(`${credentials}/${await make.ownKey()}/confirm`, {}),
    letIn: ['not there'],
    names: [
      named(
        'key',
        (id) => post(`${credentials}/${id}/confirm`, {}),
        MISSING,
        (make) => make.ownKey(),
      ),
    ],
  },
];

const links: readonly ExpectedRoute[] = [
  {
    ...open,
    route: 'POST /v2/invitations/read',
    request: () => post('/v2/invitations/read', { token: 'lwi_of-nobody' }),
    letIn: ['link_invalid'],
  },
  {
    ...open,
    route: 'POST /v2/invitations/accept',
    request: () => post('/v2/invitations/accept', { token: 'lwi_of-nobody', password }),
    letIn: ['link_invalid'],
  },
  {
    ...open,
    route: 'POST /v2/password-resets',
    request: () => post('/v2/password-resets', { email: 'nobody@okapi.example' }),
  },
  {
    ...open,
    route: 'POST /v2/password-resets/complete',
    request: () => post('/v2/password-resets/complete', { token: 'lwr_of-nobody', password }),
    letIn: ['link_invalid'],
  },
  {
    ...open,
    route: 'POST /v2/second-factor-resets/confirm',
    request: () => post('/v2/second-factor-resets/confirm', { token: 'lwf_of-nobody', password }),
    letIn: ['link_invalid'],
  },
];

export const console: readonly ExpectedRoute[] = [...signingIn, ...sessions, ...inOwnName, ...links];
