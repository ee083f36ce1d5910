export { auditReasons } from './audit.errors.js';
export { auditRoutes } from './audit.routes.js';
export { readGrownHeads } from './audit.store.js';
export { recordAudit } from './record-audit.js';
export { sealAllAudits } from './seal-audit.js';
export { verifyAudit } from './verify-audit.js';
