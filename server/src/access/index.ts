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
export { createKey, isKeyExpiry } from './create-key.js';
export { createOrganization } from './create-organization.js';
export { createUser } from './create-user.js';
export { openCredentialUse } from './credential-use.js';
export { openCredentials } from './credentials.js';
export { openGate } from './gate.js';
export { keyResolver } from './key-credentials.js';
export { openAccessTokens } from './oauth/access-tokens.js';
export { listClients, organizationOfClient } from './oauth/client.store.js';
export { createClient } from './oauth/create-client.js';
export { keepSigningKeys, rotateSigningKey } from './oauth/keep-signing-keys.js';
export { openKeyring } from './oauth/keyring.js';
export { oauthRoutes } from './oauth/oauth.routes.js';
export { oauthResolver } from './oauth/oauth-credentials.js';
export { removeExpiredGrants } from './oauth/remove-expired.js';
export { revokeClient } from './oauth/revoke-client.js';
export { rotateClientSecret } from './oauth/rotate-client-secret.js';
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
export { organizationRows, userRows } from './organization-rows.js';
export { givePassword, isPasswordOfUser } from './people/give-password.js';
export { inviteUser } from './people/manage-users.js';
export { hashNewPassword } from './people/password-hash.js';
export { type ConsoleOptions, peopleRoutes } from './people/people.routes.js';
export { removeExpiredSignIns } from './people/remove-expired.js';
export { sessionResolver } from './people/session-credentials.js';
export { sessionCookie } from './people/session-token.js';
export { signInPages } from './people/sign-in-page.routes.js';
export { listUsers } from './people/user.store.js';
export { revokeKey } from './revoke-key.js';
export { rotateKey } from './rotate-key.js';
export { SCOPE_WORDS, SCOPES } from './scopes.js';
export { credentialRoutes } from './settings/credential.routes.js';
export { settingsRoutes } from './settings/organization.routes.js';
export { updateOrganization } from './update-organization.js';
export { removeOldUsage } from './usage/remove-old-usage.js';
export { usageRoutes } from './usage/usage.routes.js';
export { whoamiRoutes } from './whoami.routes.js';
