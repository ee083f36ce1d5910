export { createOrganization } from './create-organization.js';
export { organizationReasons } from './organization.errors.js';
export {
  CERTIFICATE_GATES,
  CERTIFICATE_SUBJECTS,
  type DemandedCertificate,
  EDITIONS,
  type Edition,
  ORGANIZATION_STATUSES,
  type Organization,
  type OrganizationStatus,
  RATE_WINDOW_MS,
  REQUESTS_PER_MINUTE,
} from './organization.js';
export { settingsRoutes } from './organization.routes.js';
export {
  findOrganization,
  joinOrganization,
  listOrganizations,
  lockOwnOrganization,
  organizationsWhere,
  readOrganization,
} from './organization.store.js';
export { organizationRows } from './organization-rows.js';
export { updateOrganization } from './update-organization.js';
