export { createDispatch } from './create-dispatch.js';
export { deliverDispatch } from './deliver-dispatch.js';
export { dispatchReasons } from './dispatch.errors.js';
export type { Dispatch } from './dispatch.js';
export { dispatchRoutes } from './dispatch.routes.js';
export { dispatchMachine } from './dispatch.rules.js';
export { listDispatches } from './dispatch.store.js';
export { pickDispatch } from './pick-dispatch.js';
export { recheckDispatch } from './recheck-dispatch.js';
