import { type Static, Type } from 'typebox';
import type { SessionCookie } from '../../access/index.js';
import { recordAudit } from '../../audit/index.js';
import { transact } from '../../platform/database/index.js';
import { missing } from '../../platform/errors/index.js';
import {
  authRoute,
  type Call,
  Email,
  Instant,
  Model,
  Nullable,
  OneOf,
  type Route,
  readRoute,
  Strict,
  Text,
  writeRoute,
} from '../../platform/http/index.js';
import { chooseDigest } from '../choose-digest.js';
import { chooseName } from '../choose-name.js';
import { choosePreferences } from '../choose-preferences.js';
import { allPreferences, DENSITIES, LANGUAGES, THEMES } from '../preferences.js';
import { USER_ROLES } from '../user.js';
import type { SignedIn } from './console-session.js';
import { endReplacedSession } from './end-replaced.js';
import { type ConsoleCaller, readOwnAccount } from './own-account.js';
import { listOwnSessions, removeSession, removeSessionsExcept } from './session.store.js';
import { SESSION_IDLE_MS } from './session-resolver.js';
import {
  consoleCallerOf,
  cookiesFor,
  Password,
  PersonName,
  signedInView,
  TotpCode,
  tag,
  viewOf,
  visitorOf,
} from './session-view.js';
import { signIn } from './sign-in.js';
import { countingRefusals, type SignInContext } from './sign-in-context.js';
import { listOwnOrganizations, switchOrganization } from './switch-organization.js';

const preferenceFields = {
  language: Nullable(OneOf(LANGUAGES)),
  theme: Nullable(OneOf(THEMES)),
  density: Nullable(OneOf(DENSITIES)),
  timeZone: Nullable(Text(64, 'IANA time zone in which the console shows times.')),
  homePage: Nullable(
    Type.String({
      maxLength: 100,
      pattern: '^/[a-z0-9/-]*$',
      description: 'The path of the page of the console that opens first, such as `/orders`.',
    }),
  ),
};
const PreferencesView = Model('Preferences', preferenceFields);

const SignedInView = Model('SignedIn', signedInView);
const SessionView = Model('Session', {
  ...signedInView,
  organizations: Type.Array(
    Type.Object({
      code: Type.String(),
      name: Type.String(),
      role: OneOf(USER_ROLES),
      current: Type.Boolean(),
    }),
    { description: 'Your organizations, by name. Switch with `PATCH /v2/session`.' },
  ),
  secondFactor: Nullable(Type.Boolean({ description: 'Whether the person has a second factor.' })),
  dailyDigest: Nullable(Type.Boolean()),
  preferences: Nullable(PreferencesView),
});
const Nothing = Type.Object({});

/** Signing in and out, and one's own sessions. */
export const sessionRoutes = (context: SignInContext, cookie: SessionCookie): Route[] => [
  authRoute({
    method: 'POST',
    operationId: 'signIn',
    path: '/v2/session',
    open: true,
    scope: null,
    tag,
    summary: 'Sign in',
    description:
      'Sets the session cookie. `second_factor`: verify a code next; `enrolment`: set up a second factor next.',
    body: Strict({
      email: Email(),
      password: Password(),
      code: Type.Optional(TotpCode()),
      organization: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'The code of one of your organizations. If omitted, the one you used last.',
        }),
      ),
    }),
    data: SignedInView,
    async handle(call) {
      const visitor = visitorOf(context, call, call.body.email);
      const signedIn = await countingRefusals(context.limiter, call.address, () =>
        signIn(context, call.body, visitor, call.requestId),
      );
      await endReplacedSession(context, cookie.read(call.cookie ?? ''), call.requestId);
      return { data: viewOf(signedIn), cookies: cookiesFor(context, cookie, signedIn, visitor) };
    },
  }),
  authRoute({
    method: 'GET',
    operationId: 'getSession',
    path: '/v2/session',
    console: 'unfinished',
    scope: null,
    tag,
    summary: 'Read the current session',
    data: SessionView,
    async handle(call) {
      const at = consoleCallerOf(context, call);
      const token = cookie.read(call.cookie ?? '') ?? '';
      const account = await readOwnAccount(context, at);
      return { data: await sessionViewOf(context, at, { token, state: at.session.state, account }) };
    },
  }),
  authRoute({
    method: 'DELETE',
    operationId: 'signOut',
    path: '/v2/session',
    console: 'unfinished',
    scope: null,
    tag,
    summary: 'Sign out',
    data: Nothing,
    async handle(call) {
      const { principal, session, requestId } = consoleCallerOf(context, call);
      await transact(
        context.database,
        principal,
        async (tx) => {
          if (await removeSession(tx, session.userId, session.sessionId))
            await recordAudit(tx, endOf(session.sessionId));
        },
        { requestId },
      );
      return { data: {}, cookies: [cookie.end] };
    },
  }),
  changeRoute(context, cookie),
  ...ownSessionRoutes(context),
];

/** Reveals nothing before the sign-in is complete. */
async function sessionViewOf(
  context: SignInContext,
  at: ConsoleCaller,
  signedIn: SignedIn,
): Promise<Static<typeof SessionView>> {
  const view = viewOf(signedIn);
  if (signedIn.state !== 'complete')
    return { ...view, organizations: [], secondFactor: null, dailyDigest: null, preferences: null };
  const { secondFactor, dailyDigest, orgCode: current } = signedIn.account;
  const organizations = (await listOwnOrganizations(context, at)).map(({ orgCode, orgName, role }) => ({
    code: orgCode,
    name: orgName,
    role,
    current: orgCode === current,
  }));
  const preferences = allPreferences(signedIn.account.preferences);
  return { ...view, organizations, secondFactor, dailyDigest, preferences };
}

const changeRoute = (context: SignInContext, cookie: SessionCookie): Route =>
  authRoute({
    method: 'PATCH',
    operationId: 'changeSession',
    path: '/v2/session',
    console: 'only',
    scope: null,
    tag,
    summary: 'Switch organization, or update your name and preferences',
    description:
      '`organization` ends this session and begins one in another organization of yours; its status may be `second_factor` or `enrolment`. `dailyDigest` and `preferences` are for the organization of this session; null takes a preference back. `name` is yours in every organization; null removes it.',
    body: Type.Object(
      {
        organization: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
        name: Type.Optional(Nullable(PersonName())),
        dailyDigest: Type.Optional(Type.Boolean()),
        preferences: Type.Optional(Type.Partial(Strict(preferenceFields), { additionalProperties: false })),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
    data: SessionView,
    async handle(call) {
      const { organization, name, dailyDigest, preferences } = call.body;
      const at = consoleCallerOf(context, call);
      if (name !== undefined || dailyDigest !== undefined || preferences !== undefined)
        await transact(
          context.database,
          at.principal,
          async (tx) => {
            if (name !== undefined)
              await chooseName(tx, { userId: at.session.userId, email: at.principal.actor }, name);
            if (dailyDigest !== undefined) await chooseDigest(tx, at.principal.actor, dailyDigest);
            if (preferences !== undefined) await choosePreferences(tx, at.session.userId, preferences);
          },
          { requestId: at.requestId },
        );
      if (organization === undefined) {
        const token = cookie.read(call.cookie ?? '') ?? '';
        const account = await readOwnAccount(context, at);
        return { data: await sessionViewOf(context, at, { token, state: at.session.state, account }) };
      }
      const signedIn = await switchOrganization(context, at, organization);
      return { data: await sessionViewOf(context, at, signedIn), cookies: [cookie.give(signedIn.token)] };
    },
  });

const OwnSession = Model('OwnSession', {
  sessionId: Type.String(),
  current: Type.Boolean(),
  createdAt: Instant(),
  lastSeenAt: Instant(),
  address: Type.String(),
  userAgent: Nullable(Type.String()),
});

const ownSessionRoutes = ({ database }: SignInContext): Route[] => [
  readRoute({
    operationId: 'listSessions',
    path: '/v2/sessions',
    console: 'only',
    scope: null,
    tag,
    summary: 'List your sessions, newest first',
    data: Type.Object({ items: Type.Array(OwnSession) }),
    async read(call) {
      const own = sessionOf(call);
      const sessions = await transact(database, call.principal, (tx) =>
        listOwnSessions(tx, own.userId, new Date(tx.now.getTime() - SESSION_IDLE_MS)),
      );
      return {
        items: sessions.map((session) => ({
          ...session,
          current: session.sessionId === own.sessionId,
          createdAt: session.createdAt.toISOString(),
          lastSeenAt: session.lastSeenAt.toISOString(),
        })),
      };
    },
  }),
  writeRoute({
    method: 'DELETE',
    operationId: 'endSession',
    path: '/v2/sessions/:sessionId',
    console: 'only',
    scope: null,
    tag,
    summary: 'End one of your sessions',
    params: Type.Object({ sessionId: Type.String() }),
    data: Nothing,
    async execute(tx, call) {
      const { sessionId } = call.params;
      if (!(await removeSession(tx, sessionOf(call).userId, sessionId)))
        throw missing('session', 'sessionId');
      await recordAudit(tx, endOf(sessionId));
      return {};
    },
  }),
  writeRoute({
    method: 'DELETE',
    operationId: 'endOtherSessions',
    path: '/v2/sessions',
    console: 'only',
    scope: null,
    tag,
    summary: 'End all your other sessions',
    data: Type.Object({ ended: Type.Integer() }),
    async execute(tx, call) {
      const { userId, sessionId } = sessionOf(call);
      const ended = await removeSessionsExcept(tx, userId, sessionId);
      await recordAudit(tx, {
        action: 'session.end_others',
        entityType: 'user',
        entityId: userId,
        after: { ended },
      });
      return { ended };
    },
  }),
];

const endOf = (sessionId: string) => ({
  action: 'session.end',
  entityType: 'session',
  entityId: sessionId,
});

/** Only on routes that are for the console. */
function sessionOf({ principal }: Pick<Call, 'principal'>) {
  if (!principal.session) throw new Error('a route of the console was entered without a session');
  return principal.session;
}
