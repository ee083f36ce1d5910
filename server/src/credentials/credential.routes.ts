import type { Database } from '../platform/database/index.js';
import type { Route } from '../platform/http/index.js';
import { clientRoutes } from './clients.routes.js';
import { keyRoutes } from './keys.routes.js';
import { ownCredentialRoutes } from './own-credentials.routes.js';

export const credentialRoutes = (database: Database): Route[] => [
  ...keyRoutes(database),
  ...clientRoutes(database),
  ...ownCredentialRoutes(database),
];
