import { type Static, Type } from 'typebox';
import { toUtcInstant } from '../platform/calendar/index.js';
import { type Database, transact } from '../platform/database/index.js';
import {
  Code,
  Instant,
  invalid,
  listRoute,
  Model,
  PageQuery,
  type Route,
  readRoute,
  Strict,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import type { Principal } from '../platform/principal.js';
import { endGrantById, grantIdOf } from './end-grants.js';
import { type GrantPlace, readGrants, type StoredGrant } from './grant.store.js';
import { GRANT_SECONDS } from './provider.js';

const ById = Strict({ grantId: Text(64) });
const Nothing = Type.Object({});
const OWN_MAX = 200;

const app = {
  grantId: Type.String(),
  clientId: Type.String(),
  clientName: Type.String(),
  scopes: Type.Array(Type.String(), {
    description: 'What was agreed to; never beyond the role of the person.',
  }),
  createdAt: Instant(),
  expiresAt: Instant(),
};
const AppView = Model('ConnectedApp', app);
const GrantView = Model('OAuthGrant', { ...app, userId: Type.String(), email: Type.String() });

const scopesOf = ({ resources }: StoredGrant): string[] =>
  [...new Set(Object.values(resources ?? {}).flatMap((text) => text.split(' ')))].sort();

const toAppView = (grant: StoredGrant): Static<typeof AppView> => ({
  grantId: grantIdOf(grant),
  clientId: grant.clientId,
  clientName: grant.clientName,
  scopes: scopesOf(grant),
  createdAt: new Date(grant.expiresAt.getTime() - GRANT_SECONDS * 1000).toISOString(),
  expiresAt: grant.expiresAt.toISOString(),
});

const toGrantView = (grant: StoredGrant): Static<typeof GrantView> => ({
  ...toAppView(grant),
  userId: grant.userId,
  email: grant.email,
});

/** Routes for grants: people's own at the console, everyone's for administrators. */
export const grantRoutes = (database: Database): Route[] => [
  ...ownRoutes(database),
  ...settingsRoutes(database),
];

function ownRoutes(database: Database): Route[] {
  const facts = { tag: 'Console', scope: null, console: 'only' } as const;
  const path = '/v2/session/connected-apps';
  return [
    readRoute({
      ...facts,
      operationId: 'listConnectedApps',
      path,
      summary: 'List the apps that may act for you, newest first',
      data: Type.Object({ items: Type.Array(AppView) }),
      async read({ principal }) {
        const { userId } = sessionOf(principal);
        const grants = await transact(database, principal, (tx) => readGrants(tx, { userId }, null, OWN_MAX));
        return { items: grants.map(toAppView) };
      },
    }),
    writeRoute({
      ...facts,
      method: 'DELETE',
      operationId: 'endConnectedApp',
      path: `${path}/:grantId`,
      summary: 'End the access of an app that acts for you',
      description: 'Its tokens are refused by every process within a second.',
      params: ById,
      data: Nothing,
      async execute(tx, { principal, params }) {
        await endGrantById(tx, params.grantId, { userId: sessionOf(principal).userId });
        return {};
      },
    }),
  ];
}

function settingsRoutes(database: Database): Route[] {
  const tag = 'Settings';
  const path = '/v2/settings/grants';
  return [
    listRoute({
      operationId: 'listSettingsGrants',
      path,
      scope: 'settings:read',
      tag,
      summary: 'List the apps that people connected, newest first',
      filters: { ...PageQuery, userId: Type.Optional(Code()), clientId: Type.Optional(Code()) },
      item: GrantView,
      list: 'grants',
      keyLength: 2,
      key: (grant) => [grant.expiresAt.toISOString(), grantIdOf(grant)],
      view: toGrantView,
      readRows: ({ principal, filter, afterKey, rowsMax }) => {
        const { userId, clientId } = filter;
        const after = placeOf(afterKey);
        return transact(database, principal, (tx) => readGrants(tx, { userId, clientId }, after, rowsMax));
      },
    }),
    writeRoute({
      method: 'DELETE',
      operationId: 'endSettingsGrant',
      path: `${path}/:grantId`,
      scope: 'settings:write',
      tag,
      summary: 'End the access of an app that acts for a person',
      description: 'Its tokens are refused by every process within a second.',
      params: ById,
      data: Nothing,
      async execute(tx, { params }) {
        await endGrantById(tx, params.grantId, {});
        return {};
      },
    }),
  ];
}

function placeOf(key: readonly string[] | null): GrantPlace | null {
  const [expiresAt, grantId] = key ?? [];
  if (expiresAt === undefined || grantId === undefined) return null;
  if (toUtcInstant(expiresAt) === null) throw invalid('bad_cursor', 'cursor');
  return { expiresAt, grantHash: Buffer.from(grantId, 'base64url') };
}

/** Only on routes that are for the console. */
function sessionOf({ session }: Principal) {
  if (!session) throw new Error('a route of the console was entered without a session');
  return session;
}
