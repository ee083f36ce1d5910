export { labelReasons } from './label.errors.js';
export { labelRoutes } from './label.routes.js';
