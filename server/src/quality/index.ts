export { dispositionMachine } from './disposition.rules.js';
export { isInDisposition } from './disposition.store.js';
export { qualityReasons } from './quality.errors.js';
export { qualityRoutes } from './quality.routes.js';
export { readQualityOverview } from './quality-overview.store.js';
export { noteReduction, registerRejected, registerUnmatched } from './register-goods.js';
