export { traceRoutes } from './trace.routes.js';
