export { accessReasons } from './access.errors.js';
export {
  findOrganization,
  firstAdministrator,
  listAdministrators,
  listKeys,
  listOrganizations,
  organizationsOfKeys,
} from './access.store.js';
export { chooseDigest } from './choose-digest.js';
export { createKey } from './create-key.js';
export { createOrganization } from './create-organization.js';
export { createUser } from './create-user.js';
export { openCredentials } from './credentials.js';
export { openGate } from './gate.js';
export { openKeyUse } from './key-use.js';
export {
  CERTIFICATE_GATES,
  CERTIFICATE_SUBJECTS,
  type DemandedCertificate,
  EDITIONS,
  ORGANIZATION_STATUSES,
  type Organization,
  RATE_WINDOW_MS,
  USER_ROLES,
} from './organization.js';
export { revokeKey } from './revoke-key.js';
export { rotateKey } from './rotate-key.js';
export { SCOPES } from './scopes.js';
export { settingsRoutes } from './settings.routes.js';
export { updateOrganization } from './update-organization.js';
export { whoamiRoutes } from './whoami.routes.js';
