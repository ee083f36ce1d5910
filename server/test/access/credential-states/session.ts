import { SCOPES } from '../../../src/access/index.js';
import { updateOrganization } from '../../../src/organizations/index.js';
import { newSessionId, newSessionToken } from '../../../src/people/sign-in/session-token.js';
import { newOrganization, newSession, type TestSession } from '../../harness/index.js';
import type { ExpectedRoute } from '../expected-answers/index.js';
import { bearer } from './api-key.js';
import {
  type CredentialState,
  changesNothing,
  forbidden,
  invalid,
  judged,
  type Makers,
  missing,
  neededBy,
  unfinished,
  type Verdict,
} from './verdict.js';

type Given = Parameters<typeof newSession>[2];

const signedIn = ({ world }: Makers, given: Given = {}): Promise<TestSession> =>
  newSession(world.db, world.organization.organization.orgId, given);
const ago = ({ world }: Makers, ms: number) => new Date(world.db.clock.now().getTime() - ms);
const cookieOf = (token: string) => ({ cookie: `lotward_session=${token}` });

const asAdministrator = (row: ExpectedRoute): Verdict => judged(row, SCOPES, { atConsole: true });
/** Reading needs no CSRF token. */
const unlessItChanges = (row: ExpectedRoute): Verdict =>
  changesNothing(row) ? asAdministrator(row) : forbidden('cross_site_request');
const unlessItNeedsStepUp = (row: ExpectedRoute): Verdict =>
  row.stepUp ? forbidden('step_up_required') : asAdministrator(row);
const onlyUnfinished = (row: ExpectedRoute): Verdict =>
  row.console === 'unfinished' ? asAdministrator(row) : unfinished();

const refused: readonly CredentialState[] = [
  { name: 'malformed', present: async () => cookieOf('lws_half-a-session'), verdict: invalid },
  {
    name: 'unknown session',
    present: async ({ world }) => {
      const { orgId } = world.organization.organization;
      return cookieOf(newSessionToken({ orgId, sessionId: newSessionId(world.db.clock.now()) }));
    },
    verdict: invalid,
  },
  {
    name: 'wrong secret',
    present: async (makers) => {
      const { orgId } = makers.world.organization.organization;
      const { sessionId } = await signedIn(makers);
      return cookieOf(newSessionToken({ orgId, sessionId }));
    },
    verdict: invalid,
  },
  {
    name: 'named as of another organization',
    present: async (makers) => {
      const { token, headers } = await signedIn(makers);
      const { orgId } = makers.world.other.organization;
      return { ...headers, ...cookieOf(token.replace(/^lws_[^_]+/, `lws_${orgId.slice(4)}`)) };
    },
    verdict: invalid,
  },
  {
    name: 'expired',
    present: async (makers) => (await signedIn(makers, { expiresAt: ago(makers, 1) })).headers,
    verdict: invalid,
  },
  {
    name: 'idle for too long',
    present: async (makers) => (await signedIn(makers, { lastSeenAt: ago(makers, 3_600_001) })).headers,
    verdict: invalid,
  },
  {
    name: 'ended',
    present: async (makers) => {
      const { sessionId, headers } = await signedIn(makers);
      await makers.world.db.sql('delete from sessions where session_id = $1', [sessionId]);
      return headers;
    },
    verdict: invalid,
  },
  {
    name: 'of a suspended organization',
    present: async ({ world }) => {
      const { organization } = await newOrganization(world.db);
      const { headers } = await newSession(world.db, organization.orgId);
      await updateOrganization(world.db.database, 'operator@test.example', organization.orgId, {
        status: 'suspended',
      });
      return headers;
    },
    verdict: invalid,
  },
  ...(['removed', 'invited'] as const).map(
    (status): CredentialState => ({
      name: `of somebody who is ${status}`,
      present: async (makers) => {
        const { userId, headers } = await signedIn(makers);
        await makers.world.db.sql('update users set status = $2 where user_id = $1', [userId, status]);
        return headers;
      },
      verdict: invalid,
    }),
  ),
  {
    name: 'its token as a bearer token',
    present: async (makers) => bearer((await signedIn(makers)).token),
    verdict: invalid,
  },
  {
    name: 'with a bad key beside it',
    present: async (makers) => ({ ...(await signedIn(makers)).headers, ...bearer('lw_half-a-key') }),
    verdict: invalid,
  },
  {
    name: 'two of them',
    present: async (makers) => {
      const [one, two] = [await signedIn(makers), await signedIn(makers)];
      return { ...one.headers, cookie: `${one.headers.cookie}; ${two.headers.cookie}` };
    },
    verdict: missing,
  },
];

const incomplete: readonly CredentialState[] = [
  {
    name: 'second factor given longer ago',
    present: async (makers) => (await signedIn(makers, { secondFactorAt: ago(makers, 300_001) })).headers,
    verdict: unlessItNeedsStepUp,
  },
  {
    name: 'second factor never given',
    present: async (makers) => (await signedIn(makers, { secondFactorAt: null })).headers,
    verdict: unlessItNeedsStepUp,
  },
  {
    name: 'second factor not given yet',
    present: async (makers) => (await signedIn(makers, { state: 'second_factor' })).headers,
    verdict: onlyUnfinished,
  },
  {
    name: 'second factor not set up yet',
    present: async (makers) => (await signedIn(makers, { state: 'enrolment' })).headers,
    verdict: onlyUnfinished,
  },
  {
    name: 'without the token of its page',
    present: async (makers) => cookieOf((await signedIn(makers)).token),
    verdict: unlessItChanges,
  },
  {
    name: "with the token of another session's page",
    present: async (makers) => {
      const { csrfToken } = await signedIn(makers);
      return { ...(await signedIn(makers)).headers, 'x-csrf-token': csrfToken };
    },
    verdict: unlessItChanges,
  },
  ...['cross-site', 'same-site'].map(
    (site): CredentialState => ({
      name: `asked for by a page elsewhere: ${site}`,
      present: async (makers) => ({ ...(await signedIn(makers)).headers, 'sec-fetch-site': site }),
      verdict: unlessItChanges,
    }),
  ),
];

const good: readonly CredentialState[] = [
  {
    name: 'second factor given five minutes ago',
    present: async (makers) => (await signedIn(makers, { secondFactorAt: ago(makers, 300_000) })).headers,
    verdict: asAdministrator,
  },
  {
    name: 'of an administrator',
    present: async (makers) => (await signedIn(makers)).headers,
    verdict: asAdministrator,
  },
  {
    name: 'asked for by our own page',
    present: async (makers) => ({ ...(await signedIn(makers)).headers, 'sec-fetch-site': 'same-origin' }),
    verdict: asAdministrator,
  },
  {
    name: 'with a good key beside it: the key counts',
    present: async (makers, needed) => {
      const { apiKey } = await makers.keys.create({ scopes: needed });
      return { ...(await signedIn(makers)).headers, ...bearer(apiKey) };
    },
    verdict: (row) => judged(row, neededBy(row)),
  },
];

export const session: readonly CredentialState[] = [...refused, ...incomplete, ...good];
