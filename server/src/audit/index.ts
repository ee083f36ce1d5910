export { auditReasons } from './audit.errors.js';
export type { AuditedEntity } from './audit.js';
export { auditRoutes } from './audit.routes.js';
export { readGrownHeads } from './audit.store.js';
export { entityKey, findEntities, nameEntities } from './audit-hooks.js';
export { recordAudit, recordAuditAlike } from './record-audit.js';
export { sealAllAudits } from './seal-audit.js';
export { verifyAudit } from './verify-audit.js';
