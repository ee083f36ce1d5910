export { purgeIdempotencyKeys } from './idempotency.js';
export { invalid } from './json-body.js';
export { decodeCursor, type Page, toPage } from './page.js';
export { requestReasons } from './reasons.js';
export { type Admission, forbidden, type Gate, registerRoutes } from './register.js';
export { type Route, readRoute, writeRoute } from './route.js';
export * from './schema.js';
export { createServer } from './server.js';
export { compile } from './validation.js';
