export { createNonconformity } from './create-nonconformity.js';
export { approveDisposition, rejectDisposition } from './decide-disposition.js';
export type { DispositionKind, DispositionStatus } from './disposition.js';
export { dispositionMachine } from './disposition.rules.js';
export { isInDisposition, listDispositions } from './disposition.store.js';
export { type Execution, executeDisposition } from './execute-disposition.js';
export { listNonconformities } from './nonconformity.store.js';
export { proposeDisposition } from './propose-disposition.js';
export { qualityReasons } from './quality.errors.js';
export { qualityRoutes } from './quality.routes.js';
export {
  readNonconformitiesToDecide,
  readQualityOverview,
  readWaitingDispositions,
} from './quality-overview.store.js';
export { noteReduction, registerRejected, registerUnmatched } from './register-goods.js';
