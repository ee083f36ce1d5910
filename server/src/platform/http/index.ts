export { purgeIdempotencyKeys } from './idempotency.js';
export { canonicalJson, invalid } from './json-body.js';
export { decodeCursor, type Page, toPage } from './page.js';
export { requestReasons } from './reasons.js';
export { type Admission, forbidden, type Gate, registerRoutes } from './register.js';
export { type Call, type Route, readRoute, writeRoute } from './route.js';
export * from './schema.js';
export { createServer } from './server.js';
export { compile } from './validation.js';
