import { Type } from 'typebox';
import { SCOPE_DESCRIPTIONS, SCOPES } from '../access/index.js';
import { Model, OneOf, type Route, readRoute } from '../platform/http/index.js';
import { ROLES } from './roles.js';
import { USER_ROLES } from './user.js';

const tag = 'Settings';
const RoleView = Model('Role', {
  role: OneOf(USER_ROLES),
  description: Type.String(),
  scopes: Type.Array(OneOf(SCOPES)),
});
const ScopeView = Model('Scope', {
  scope: OneOf(SCOPES),
  description: Type.String({ description: 'What the role allows.' }),
});

/** Routes that list the roles and their scopes. */
export const roleRoutes = (): Route[] => [
  readRoute({
    operationId: 'getSettingsRoles',
    path: '/v2/settings/roles',
    scope: 'settings:read',
    tag,
    summary: 'List roles and their scopes',
    data: Type.Object({ items: Type.Array(RoleView) }),
    read: async () => ({
      items: USER_ROLES.map((role) => ({
        role,
        description: ROLES[role].description,
        scopes: [...ROLES[role].scopes],
      })),
    }),
  }),
  readRoute({
    operationId: 'getSettingsScopes',
    path: '/v2/settings/scopes',
    scope: 'settings:read',
    tag,
    summary: 'List the scopes a credential can have',
    data: Type.Object({ items: Type.Array(ScopeView) }),
    read: async () => ({
      items: SCOPES.map((scope) => ({ scope, description: SCOPE_DESCRIPTIONS[scope] })),
    }),
  }),
];
