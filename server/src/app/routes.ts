import { whoamiRoutes } from '../access/index.js';
import { auditRoutes } from '../audit/index.js';
import { catalogueRoutes } from '../catalogue/index.js';
import type { Database } from '../platform/database/index.js';
import type { Route } from '../platform/http/index.js';
import { inventoryRoutes, stockRoutes } from '../stock/index.js';

/** Every operation of the interface. */
export const allRoutes = (database: Database): Route[] => [
  ...catalogueRoutes(database),
  ...inventoryRoutes(database),
  ...stockRoutes(database),
  ...auditRoutes(database),
  ...whoamiRoutes(database),
];
