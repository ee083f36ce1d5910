export { createOrganization } from './create-organization.js';
export { organizationReasons, requireTimeZone } from './organization.errors.js';
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
  isSandbox,
  joinOrganization,
  listActiveSandboxes,
  listOrganizations,
  lockOwnOrganization,
  moveClock,
  organizationReader,
  organizationsWhere,
  readOrganization,
  readOrganizations,
} from './organization.store.js';
export { calendarColumns, organizationRows } from './organization-rows.js';
export { changeOrganization, updateOrganization } from './update-organization.js';
