export {
  type ClientForLogin,
  clientColumns,
  joinClient,
  listClients,
  organizationOfClient,
  readClientForLogin,
} from './client.store.js';
export { createClient } from './create-client.js';
export { createKey, isKeyExpiry } from './create-key.js';
export { credentialReasons } from './credential.errors.js';
export { actorOf, isUsable, type StoredKey, secretValidUntilMs } from './credential.js';
export { credentialRoutes } from './credential.routes.js';
export { onCredentialEnded } from './credential-hooks.js';
export { disableCredentialsOf } from './disable-credentials.js';
export { joinKey, listKeys, organizationOfKey } from './key.store.js';
export { keyResolver } from './key-resolver.js';
export { readLastUses } from './last-use.store.js';
export type { LoggedIssue } from './request-log/logged-request.js';
export { requestLogRoutes } from './request-log/request-log.routes.js';
export { requestLogTrimmer } from './request-log/trim-request-log.js';
export { revokeClient } from './revoke-client.js';
export { revokeKey } from './revoke-key.js';
export { rotateClientSecret } from './rotate-client-secret.js';
export { rotateKey } from './rotate-key.js';
export { openCredentialUse } from './usage/credential-use.js';
export { removeOldUsage } from './usage/remove-old-usage.js';
export { usageRoutes } from './usage/usage.routes.js';
export { whoamiRoutes } from './whoami.routes.js';
