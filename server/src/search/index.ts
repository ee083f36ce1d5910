export { findAudited, nameAudited } from './find-audited.js';
export { searchRoutes } from './search.routes.js';
export { searchSources } from './source.store.js';
