import type { Database } from '../../platform/database/index.js';
import type { Route } from '../../platform/http/index.js';
import type { LinkMailing } from '../people/people-mails.js';
import { clientRoutes } from './clients.routes.js';
import { keyRoutes } from './keys.routes.js';
import { roleRoutes } from './roles.routes.js';
import { userRoutes } from './users.routes.js';

/** Settings → API management: roles, people, keys and OAuth clients. */
export const credentialRoutes = (database: Database, mailing: LinkMailing): Route[] => [
  ...roleRoutes(),
  ...userRoutes(database, mailing),
  ...keyRoutes(database),
  ...clientRoutes(database),
];
