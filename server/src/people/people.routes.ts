import type { Database } from '../platform/database/index.js';
import type { Route } from '../platform/http/index.js';
import type { LinkMailing } from './people-mails.js';
import { roleRoutes } from './roles.routes.js';
import { userRoutes } from './users.routes.js';

export const peopleRoutes = (database: Database, mailing: LinkMailing): Route[] => [
  ...roleRoutes(),
  ...userRoutes(database, mailing),
];
