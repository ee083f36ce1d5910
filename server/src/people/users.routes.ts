import { type Static, Type } from 'typebox';
import { requireHeldScopes } from '../access/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  Email,
  Instant,
  listRoute,
  Model,
  Nullable,
  OneOf,
  type Route,
  readRoute,
  SearchText,
  ShownOnce,
  Strict,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import { chooseDigest } from './choose-digest.js';
import {
  askFactorReset,
  changeRole,
  inviteUser,
  type LinkedUser,
  removeUser,
  sendInvitationAgain,
} from './manage-users.js';
import { listNames } from './membership.store.js';
import { refusePerson } from './people.errors.js';
import type { LinkMailing } from './people-mails.js';
import { ROLES } from './roles.js';
import { USER_ROLES } from './user.js';
import { listUsers, readMember, type StoredUser } from './user.store.js';

const PATH = '/v2/settings/users';
const ById = Strict({ userId: Text(64) });
const facts = { tag: 'Settings', scope: 'settings:write', console: 'only' } as const;
const about = { ...facts, params: ById } as const;

const userFields = {
  userId: Type.String(),
  email: Type.String(),
  name: Nullable(Type.String({ description: 'What the user is called. Only they change it.' })),
  role: OneOf(USER_ROLES),
  status: OneOf(['invited', 'active', 'removed']),
  secondFactor: Type.Boolean({ description: 'Whether the user has a second factor.' }),
  dailyDigest: Type.Boolean({
    description: 'Whether the user receives the daily mail, which is for administrators.',
  }),
  lastSignInAt: Nullable(Instant()),
  createdAt: Instant(),
  updatedAt: Instant('Neither signing in nor a second factor is a change.'),
};
const UserView = Model('User', userFields);
const LinkedUserView = Model('LinkedUser', {
  ...userFields,
  link: Nullable(
    ShownOnce('The link that the user needs, if this installation sends no e-mail: hand it over yourself.'),
  ),
});
const toUserView = (user: StoredUser): Static<typeof UserView> => ({
  userId: user.userId,
  email: user.email,
  name: user.name,
  role: user.role,
  status: user.status,
  secondFactor: user.secondFactor,
  dailyDigest: user.dailyDigest,
  lastSignInAt: user.lastSignInAt?.toISOString() ?? null,
  createdAt: user.createdAt.toISOString(),
  updatedAt: user.updatedAt.toISOString(),
});

const toLinkedView = (user: LinkedUser): Static<typeof LinkedUserView> => ({
  ...toUserView(user),
  link: user.link,
});

async function requireUser(tx: Tx, userId: string): Promise<StoredUser> {
  const user = await readMember(tx, userId);
  if (!user) throw missing('user', 'userId');
  return user;
}

export const userRoutes = (database: Database, mailing: LinkMailing): Route[] => [
  ...readRoutes(database),
  ...invitationRoutes(mailing),
  ...changeRoutes(mailing),
];

function readRoutes(database: Database): Route[] {
  return [
    listRoute({
      operationId: 'listSettingsUsers',
      path: PATH,
      scope: 'settings:read',
      tag: facts.tag,
      summary: 'List users, oldest first',
      item: UserView,
      list: 'users',
      key: (user) => user.userId,
      updatedAt: (user) => user.updatedAt,
      filters: { q: SearchText('the e-mail address') },
      isCounted: true,
      view: toUserView,
      readRows: ({ principal, filter, page }) =>
        transact(database, principal, (tx) => listUsers(tx, filter, page)),
    }),
    readRoute({
      operationId: 'getSettingsUser',
      path: `${PATH}/:userId`,
      scope: 'settings:read',
      tag: facts.tag,
      summary: 'Read a user',
      params: ById,
      data: UserView,
      read: async ({ principal, params }) =>
        toUserView(await transact(database, principal, (tx) => requireUser(tx, params.userId))),
    }),
    readRoute({
      operationId: 'listPeopleNames',
      path: '/v2/settings/people-names',
      console: 'only',
      scope: null,
      tag: facts.tag,
      summary: 'List the names of the people of your organization',
      description:
        'Records name people by their e-mail address; this returns their names. Omits people without a name, and removed ones.',
      data: Type.Object({
        items: Type.Array(Model('PersonName', { email: Type.String(), name: Type.String() })),
      }),
      read: async ({ principal }) => ({ items: await transact(database, principal, listNames) }),
    }),
  ];
}

function invitationRoutes(mailing: LinkMailing): Route[] {
  return [
    writeRoute({
      ...facts,
      method: 'POST',
      operationId: 'inviteUser',
      path: PATH,
      summary: 'Invite a user',
      description:
        'Sends the user a link, valid for 7 days. A person who has an account in another organization keeps its password; the response is the same.',
      body: Strict({ email: Email(), role: OneOf(USER_ROLES) }),
      data: LinkedUserView,
      showsSecret: true,
      async execute(tx, { principal, body }) {
        requireHeldScopes(principal, ROLES[body.role].scopes);
        return toLinkedView(await inviteUser(tx, body, mailing));
      },
    }),
    writeRoute({
      ...about,
      method: 'POST',
      operationId: 'sendInvitationAgain',
      path: `${PATH}/:userId/invitation`,
      summary: 'Send an invitation again',
      description: 'The previous link stops working.',
      body: Strict({}),
      data: LinkedUserView,
      showsSecret: true,
      execute: async (tx, { params }) => toLinkedView(await sendInvitationAgain(tx, params.userId, mailing)),
    }),
  ];
}

function changeRoutes(mailing: LinkMailing): Route[] {
  return [
    writeRoute({
      ...about,
      method: 'PATCH',
      operationId: 'changeSettingsUser',
      path: `${PATH}/:userId`,
      summary: 'Update a user',
      description:
        'Omitted fields keep their values. A new role ends all sessions of the user in this organization.',
      body: Strict({ role: Type.Optional(OneOf(USER_ROLES)), dailyDigest: Type.Optional(Type.Boolean()) }),
      data: UserView,
      async execute(tx, { principal, params, body }) {
        const { role, dailyDigest } = body;
        const { email } = await requireUser(tx, params.userId);
        if (role !== undefined) {
          requireHeldScopes(principal, ROLES[role].scopes);
          await changeRole(tx, params.userId, role);
        }
        if (dailyDigest !== undefined) await chooseDigest(tx, email, dailyDigest);
        return toUserView(await requireUser(tx, params.userId));
      },
    }),
    writeRoute({
      ...about,
      method: 'POST',
      operationId: 'resetSettingsUserSecondFactor',
      path: `${PATH}/:userId/reset-second-factor`,
      summary: 'Let a user remove the second factor they lost',
      description:
        'Ends the sessions of the user in this organization and mails them a link, valid for 24 hours, to remove it with their password.',
      body: Strict({}),
      data: LinkedUserView,
      showsSecret: true,
      async execute(tx, { principal, params }) {
        // Removing one's own needs the password: a session left open must not be enough.
        if (principal.session?.userId === params.userId) throw refusePerson('own_second_factor', null);
        return toLinkedView(await askFactorReset(tx, params.userId, mailing));
      },
    }),
    writeRoute({
      ...about,
      method: 'DELETE',
      operationId: 'removeSettingsUser',
      path: `${PATH}/:userId`,
      summary: 'Remove a user',
      description:
        'Ends the membership. All sessions of the user in this organization end within a second. Audit entries keep the name.',
      data: UserView,
      execute: async (tx, { params }) => toUserView(await removeUser(tx, params.userId)),
    }),
  ];
}
