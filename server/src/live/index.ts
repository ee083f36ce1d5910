export { liveRoutes } from './live.routes.js';
