export { purgeIdempotencyKeys } from './idempotency.js';
export { invalid } from './json-body.js';
export { decodeCursor, encodeCursor, type Page, toPage } from './page.js';
export { requestReasons } from './reasons.js';
export { type Admission, forbidden, type Gate, registerRoutes } from './register.js';
export { type Call, callerOf, type Route, readRoute, sharedRoute, writeRoute } from './route.js';
export * from './schema.js';
export { createServer } from './server.js';
export { compile } from './validation.js';
