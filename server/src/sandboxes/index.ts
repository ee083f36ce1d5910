import type { Database } from '../platform/database/index.js';
import type { Route } from '../platform/http/index.js';
import { insideRoutes } from './inside.routes.js';
import { sandboxRoutes as outsideRoutes } from './sandbox.routes.js';

export { endSandboxesOf } from './end-sandbox.js';
export { endUnusedSandboxes } from './end-unused-sandboxes.js';
export { buildSandbox, registerSandbox, requireRoom } from './open-sandbox.js';
export { sandboxReasons } from './sandbox.errors.js';
export { SANDBOX_DATA } from './sandbox.js';

export const sandboxRoutes = (database: Database): Route[] => [...outsideRoutes(database), ...insideRoutes()];
