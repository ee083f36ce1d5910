import type { Database } from '../platform/database/index.js';
import type { Route } from '../platform/http/index.js';
import { dispositionRoutes } from './disposition.routes.js';
import { nonconformityRoutes } from './nonconformity.routes.js';

export const qualityRoutes = (database: Database): Route[] => [
  ...nonconformityRoutes(database),
  ...dispositionRoutes(database),
];
