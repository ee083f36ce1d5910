export { acknowledgeRecall } from './acknowledge-recall.js';
export { closeRecall } from './close-recall.js';
export { openRecall } from './open-recall.js';
export { recallReasons } from './recall.errors.js';
export { recallRoutes } from './recall.routes.js';
export { recallMachine } from './recall.rules.js';
export { listRecalls } from './recall.store.js';
export { readRecallOverview } from './recall-overview.store.js';
