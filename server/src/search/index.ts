export { searchRoutes } from './search.routes.js';
export { searchSources } from './source.store.js';
