export { accessReasons } from './access.errors.js';
export { addressGroup, compileAllowList, isAddressOrBlock } from './allow-list.js';
export { openAuthenticator, refuseCrossSite, type UseRecorder } from './authenticator.js';
export {
  type Credential,
  type CredentialKind,
  REFUSED,
  type Resolution,
  type Resolver,
} from './credential.js';
export { type CredentialCache, openCredentialCache } from './credential-cache.js';
export { customerBinding, refuseOtherCustomer } from './customer-binding.js';
export { countFailure, limited, requireFewFailures } from './failure-limit.js';
export { requireHeldScopes } from './held-scopes.js';
export { isScope, SCOPE_DESCRIPTIONS, SCOPES, type Scope } from './scopes.js';
export { cookieIn, csrfTokenOf, type SessionCookie, sessionCookie } from './session-cookie.js';
