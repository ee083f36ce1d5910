export { openAccessTokens } from './access-tokens.js';
export { joinGrant } from './artifact.store.js';
export { onGrantEnded } from './end-grant.js';
export { openKeyring } from './keyring.js';
export { oauthRoutes } from './oauth.routes.js';
export { oauthResolver } from './oauth-resolver.js';
export { removeExpiredGrants } from './remove-expired.js';
export { keepSigningKeys, rotateSigningKey } from './signing-keys.js';
