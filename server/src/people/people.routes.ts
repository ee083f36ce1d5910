import type { Database } from '../platform/database/index.js';
import type { Route } from '../platform/http/index.js';
import { roleRoutes } from './roles.routes.js';
import { userRoutes } from './users.routes.js';

export const peopleRoutes = (database: Database, options: { url: () => string }): Route[] => [
  ...roleRoutes(),
  ...userRoutes(database, options.url),
];
