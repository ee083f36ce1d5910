export { openAccessTokens } from './access-tokens.js';
export { joinGrant } from './artifact.store.js';
export { endGrantsOf, onGrantEnded } from './end-grants.js';
export { grantRoutes } from './grants.routes.js';
export { openKeyring } from './keyring.js';
export { oauthRoutes } from './oauth.routes.js';
export { oauthResolver } from './oauth-resolver.js';
export { removeExpiredGrants } from './remove-expired.js';
export { keepSigningKeys, rotateSigningKey } from './signing-keys.js';
