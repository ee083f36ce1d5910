export { openAccessTokens } from './access-tokens.js';
export { openKeyring } from './keyring.js';
export { oauthRoutes } from './oauth.routes.js';
export { oauthResolver } from './oauth-resolver.js';
export { removeExpiredGrants } from './remove-expired.js';
export { sealedSigningKeys } from './sealed-keys.store.js';
export { keepSigningKeys, rotateSigningKey } from './signing-keys.js';
